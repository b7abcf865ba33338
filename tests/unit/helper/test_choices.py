# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in force of all that may be chosen."""

import pytest

from destutter_helper.api.choices import active_choice


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("none [mq-deadline] bfq", "mq-deadline"),
        ("[none] mq-deadline\n", "none"),
        ("none\n", "none"),
        ("", ""),
        ("a [b", "a [b"),
    ],
)
def test_the_active_choice_is_in_brackets(text, chosen):
    """The chosen word of a list, or the only word."""
    assert active_choice(text) == chosen
