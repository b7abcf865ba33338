<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>ActionBar</name>
    <message numerus="yes">
        <source>Apply %n change(s)</source>
        <translation>
            <numerusform>Apply %n change</numerusform>
            <numerusform>Apply %n changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CauseView</name>
    <message numerus="yes">
        <source>In {count} of %n stutter(s) it worked for most of the time.</source>
        <translation>
            <numerusform>In {count} of %n stutter it worked for most of the time.</numerusform>
            <numerusform>In {count} of %n stutters it worked for most of the time.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Causes</name>
    <message numerus="yes">
        <source>%n frame(s) at {hertz} Hz</source>
        <translation>
            <numerusform>%n frame at {hertz} Hz</numerusform>
            <numerusform>%n frames at {hertz} Hz</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stutter(s) seen.</source>
        <translation>
            <numerusform>%n stutter seen.</numerusform>
            <numerusform>%n stutters seen.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CausesPage</name>
    <message numerus="yes">
        <source>A cause is known for {count} of %n stutter(s) in the last {minutes} minutes</source>
        <translation>
            <numerusform>A cause is known for {count} of %n stutter in the last {minutes} minutes</numerusform>
            <numerusform>A cause is known for {count} of %n stutters in the last {minutes} minutes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A cause is known for {count} of %n stutter(s) since the game started</source>
        <translation>
            <numerusform>A cause is known for {count} of %n stutter since the game started</numerusform>
            <numerusform>A cause is known for {count} of %n stutters since the game started</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Changes</name>
    <message numerus="yes">
        <source>%n setting(s) changed by something else</source>
        <translation>
            <numerusform>%n setting changed by something else</numerusform>
            <numerusform>%n settings changed by something else</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) kept for every start</source>
        <translation>
            <numerusform>%n setting kept for every start</numerusform>
            <numerusform>%n settings kept for every start</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) kept until the restart</source>
        <translation>
            <numerusform>%n setting kept until the restart</numerusform>
            <numerusform>%n settings kept until the restart</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) left as found</source>
        <translation>
            <numerusform>%n setting left as found</numerusform>
            <numerusform>%n settings left as found</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Undid %n change(s)</source>
        <translation>
            <numerusform>Undid %n change</numerusform>
            <numerusform>Undid %n changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChooseStep</name>
    <message numerus="yes">
        <source>Acts on the cause of {count} of %n stutter(s).</source>
        <translation>
            <numerusform>Acts on the cause of {count} of %n stutter.</numerusform>
            <numerusform>Acts on the cause of {count} of %n stutters.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Apply %n change(s)</source>
        <translation>
            <numerusform>Apply %n change</numerusform>
            <numerusform>Apply %n changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message numerus="yes">
        <source>%n file(s) written</source>
        <translation>
            <numerusform>%n file written</numerusform>
            <numerusform>%n files written</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HistoryCard</name>
    <message numerus="yes">
        <source>History: %n change(s) since {date}.</source>
        <translation>
            <numerusform>History: %n change since {date}.</numerusform>
            <numerusform>History: %n changes since {date}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>History: %n change(s).</source>
        <translation>
            <numerusform>History: %n change.</numerusform>
            <numerusform>History: %n changes.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LeftAlone</name>
    <message numerus="yes">
        <source>Show %n more</source>
        <translation>
            <numerusform>Show %n more</numerusform>
            <numerusform>Show %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message numerus="yes">
        <source>Causes: %n explain stutters</source>
        <translation>
            <numerusform>Causes: %n explains stutters</numerusform>
            <numerusform>Causes: %n explain stutters</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Played</name>
    <message numerus="yes">
        <source>%n stutter(s)</source>
        <comment>while playing</comment>
        <translation>
            <numerusform>%n stutter</numerusform>
            <numerusform>%n stutters</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message numerus="yes">
        <source>%n page(s)</source>
        <translation>
            <numerusform>%n page</numerusform>
            <numerusform>%n pages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Strip</name>
    <message numerus="yes">
        <source>%n in {minutes} min</source>
        <comment>stutters</comment>
        <translation>
            <numerusform>%n in {minutes} min</numerusform>
            <numerusform>%n in {minutes} min</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>System</name>
    <message numerus="yes">
        <source>%n quieter one(s) are not listed.</source>
        <translation>
            <numerusform>%n quieter one is not listed.</numerusform>
            <numerusform>%n quieter ones are not listed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrialBanner</name>
    <message numerus="yes">
        <source>%n change(s) on trial for as long as {game} runs</source>
        <translation>
            <numerusform>%n change on trial for as long as {game} runs</numerusform>
            <numerusform>%n changes on trial for as long as {game} runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) on trial, reverting in {seconds} seconds</source>
        <translation>
            <numerusform>%n setting on trial, reverting in {seconds} seconds</numerusform>
            <numerusform>%n settings on trial, reverting in {seconds} seconds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) on trial.</source>
        <translation>
            <numerusform>%n setting on trial.</numerusform>
            <numerusform>%n settings on trial.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TunablesView</name>
    <message numerus="yes">
        <source>%n change(s) chosen.</source>
        <translation>
            <numerusform>%n change chosen.</numerusform>
            <numerusform>%n changes chosen.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TuningInWindow</name>
    <message numerus="yes">
        <source>%n change(s) for {game}</source>
        <translation>
            <numerusform>%n change for {game}</numerusform>
            <numerusform>%n changes for {game}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n change(s) on trial</source>
        <translation>
            <numerusform>%n change on trial</numerusform>
            <numerusform>%n changes on trial</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Changes, %n made by Destutter</source>
        <translation>
            <numerusform>Changes, %n made by Destutter</numerusform>
            <numerusform>Changes, %n made by Destutter</numerusform>
        </translation>
    </message>
</context>
</TS>
