# SPDX-License-Identifier: GPL-3.0-or-later
"""The style sheet of reports. Colours are those of the window, checked for contrast there."""

STYLE = """\
:root { --ground: #F3F5F8; --card: #FFFFFF; --text: #171B22; --muted: #4C5665; --edge: #D5DBE4;
  --a: #C26A00; --b: #0F74B8; --good: #06734F; --bad: #B4133F; --band: #00000009; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #14171C; --card: #1B1F26; --text: #E8EBF0; --muted: #AAB3C0; --edge: #2E3541;
    --a: #F0A63A; --b: #70C1F6; --good: #3FC79A; --bad: #FF7B6B; --band: #FFFFFF0D; }
}
body { margin: 0; background: var(--ground); color: var(--text);
  font: 15px/1.5 Inter, "Noto Sans", Cantarell, Ubuntu, system-ui, sans-serif;
  font-variant-numeric: tabular-nums; }
main { max-width: 960px; margin: 0 auto; padding: 24px 20px 48px; }
h1 { font-size: 24px; margin: 0 0 12px; } h2 { font-size: 18px; margin: 32px 0 8px; }
p { margin: 6px 0; overflow-wrap: anywhere; } .note { color: var(--muted); font-size: 13px; }
.good, .bad { padding: 10px 14px; border: 1px solid; border-radius: 10px; font-weight: 600;
  background: var(--card); } .good { color: var(--good); } .bad { color: var(--bad); }
ul { padding-left: 20px; margin: 6px 0; } li { overflow-wrap: anywhere; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%;
  background: var(--card); border: 1px solid var(--edge); }
th, td { padding: 6px 12px; text-align: left; border-bottom: 1px solid var(--edge);
  vertical-align: top; } th { font-size: 13px; color: var(--muted); }
.figure { text-align: right; white-space: nowrap; }
figure { margin: 12px 0; padding: 12px; background: var(--card); border: 1px solid var(--edge);
  border-radius: 10px; } figcaption { font-weight: 600; margin-bottom: 6px; }
.chart { width: 100%; height: auto; display: block; }
.chart text { fill: var(--muted); font-size: 11px; }
.grid { stroke: var(--edge); stroke-width: 1; }
.mark { stroke: var(--text); stroke-width: 1; stroke-dasharray: 3 3; }
.band0 { fill: var(--band); } .band1 { fill: none; }
.line-a, .line-b, .line-other { fill: none; stroke-width: 1.3; stroke-linejoin: round; }
.line-a { stroke: var(--a); } .line-b { stroke: var(--b); } .line-other { stroke: var(--muted); }
@media print { body { background: #FFFFFF; } figure, table { break-inside: avoid; } }
"""
