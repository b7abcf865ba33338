<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>ActionBar</name>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message numerus="yes">
        <source>Apply %n change(s)</source>
        <translation>
            <numerusform>%n Änderung anwenden</numerusform>
            <numerusform>%n Änderungen anwenden</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Changing the settings…</source>
        <translation>Einstellungen werden geändert…</translation>
    </message>
    <message>
        <source>Try for {seconds} seconds</source>
        <translation>{seconds} Sekunden ausprobieren</translation>
    </message>
    <message>
        <source>Waiting for your password…</source>
        <translation>Warten auf das Passwort…</translation>
    </message>
    <message>
        <source>Waiting for your password… Look for the password window; it may be behind this one.</source>
        <translation>Warten auf das Passwort… Das Fenster dafür liegt vielleicht hinter diesem.</translation>
    </message>
</context>
<context>
    <name>Advice</name>
    <message>
        <source>Add this to the kernel&apos;s command line in the boot loader, then restart:</source>
        <translation>Dies im Bootloader an die Kommandozeile des Kernels anhängen, dann neu starten:</translation>
    </message>
    <message>
        <source>Bring its package up to date, or run &apos;destutter update-helper&apos; of the AppImage.</source>
        <translation>Bringen Sie sein Paket auf den neuesten Stand, oder rufen Sie „destutter update-helper“ des AppImage auf.</translation>
    </message>
    <message>
        <source>Bring its package up to date, or run &apos;make install-helper&apos; again.</source>
        <translation>Bringen Sie sein Paket auf den neuesten Stand, oder rufen Sie „make install-helper“ noch einmal auf.</translation>
    </message>
    <message>
        <source>Connect your game</source>
        <translation>Spiel verbinden</translation>
    </message>
    <message>
        <source>Copy launch options</source>
        <translation>Startoptionen kopieren</translation>
    </message>
    <message>
        <source>Copy the variable</source>
        <translation>Variable kopieren</translation>
    </message>
    <message>
        <source>Destutter measures and explains without the helper.</source>
        <translation>Destutter misst und erklärt auch ohne den Hilfsdienst.</translation>
    </message>
    <message>
        <source>Elsewhere, run this in the folder of Destutter&apos;s source code:</source>
        <translation>Sonst im Ordner mit dem Quelltext von Destutter ausführen:</translation>
    </message>
    <message>
        <source>Elsewhere, the AppImage of Destutter sets it up:</source>
        <translation>Anderswo richtet ihn das AppImage von Destutter ein:</translation>
    </message>
    <message>
        <source>Everything else is measured without it.</source>
        <translation>Alles andere wird auch so gemessen.</translation>
    </message>
    <message>
        <source>In Heroic: the game&apos;s settings, switch MangoHud on, and add the environment variable:</source>
        <translation>In Heroic: in den Einstellungen des Spiels MangoHud einschalten und diese Umgebungsvariable hinzufügen:</translation>
    </message>
    <message>
        <source>In Lutris: right-click the game, Configure, System options. Switch the FPS counter (MangoHud) on, and add the environment variable:</source>
        <translation>In Lutris: Rechtsklick auf das Spiel, Konfigurieren, Systemoptionen. Den FPS-Zähler (MangoHud) einschalten und diese Umgebungsvariable hinzufügen:</translation>
    </message>
    <message>
        <source>In Steam: right-click the game, Properties, Launch options:</source>
        <translation>In Steam: Rechtsklick auf das Spiel, Eigenschaften, Startoptionen:</translation>
    </message>
    <message>
        <source>Installing it would not help: ordinary desktops have that bus; a container, or a system without systemd or D-Bus, may not. Every cause has commands to copy instead.</source>
        <translation>Ihn zu installieren würde nicht helfen: Gewöhnliche Desktops haben diesen Bus; ein Container oder ein System ohne systemd oder D-Bus hat ihn vielleicht nicht. Jede Ursache hat stattdessen Befehle zum Kopieren.</translation>
    </message>
    <message>
        <source>It does not say from where it runs.</source>
        <translation>Er sagt nicht, von wo er läuft.</translation>
    </message>
    <message>
        <source>It is part of this AppImage. It is put into /opt/destutter and /etc (where polkit is older, its list of actions into /usr/share), after the password of an administrator. Once it is there, a button of Settings takes it away again.</source>
        <translation>Es ist ein Teil dieses AppImage. Es kommt nach dem Passwort eines Verwalters nach /opt/destutter und /etc (wo polkit älter ist, die Liste seiner Aktionen nach /usr/share). Ist es da, entfernt es ein Knopf der Einstellungen wieder.</translation>
    </message>
    <message>
        <source>It is started from a development tree:</source>
        <translation>Er wird aus einem Entwicklungsverzeichnis gestartet:</translation>
    </message>
    <message>
        <source>It was put there by a package or &apos;make install-helper&apos;:</source>
        <translation>Er kam durch ein Paket oder „make install-helper“ dorthin:</translation>
    </message>
    <message>
        <source>Not measured</source>
        <translation>Nicht gemessen</translation>
    </message>
    <message>
        <source>On Debian and Ubuntu, install its package:</source>
        <translation>Unter Debian und Ubuntu sein Paket installieren:</translation>
    </message>
    <message>
        <source>Run this in a terminal; it asks for your password:</source>
        <translation>Dies in einem Terminal ausführen; es fragt nach Ihrem Passwort:</translation>
    </message>
    <message>
        <source>The AppImage has set it up:</source>
        <translation>Das AppImage hat ihn eingerichtet:</translation>
    </message>
    <message>
        <source>The Flatpak uses the helper of this computer, which it cannot install by itself. In a terminal, on Debian and Ubuntu, install its package:</source>
        <translation>Das Flatpak nutzt den Hilfsdienst dieses Rechners, den es nicht selbst installieren kann. Unter Debian und Ubuntu in einem Terminal sein Paket installieren:</translation>
    </message>
    <message>
        <source>The helper</source>
        <translation>Der Hilfsdienst</translation>
    </message>
    <message>
        <source>The helper is a small system service that changes kernel settings on trial and takes them back.</source>
        <translation>Der Hilfsdienst ist ein kleiner Systemdienst, der Kernel-Einstellungen auf Probe ändert und wieder zurücknimmt.</translation>
    </message>
    <message>
        <source>The kernel can count how long programs wait for memory, disk and processor. This kernel was started without it.</source>
        <translation>Der Kernel kann zählen, wie lange Programme auf Speicher, Laufwerk und Prozessor warten. Dieser Kernel wurde ohne das gestartet.</translation>
    </message>
    <message>
        <source>The newer AppImage brings it up to date: &apos;destutter update-helper&apos;.</source>
        <translation>Das neuere AppImage bringt ihn auf den neuesten Stand: „destutter update-helper“.</translation>
    </message>
    <message>
        <source>Through it the game and other programs are seen, too, which the Flatpak&apos;s sandbox hides.</source>
        <translation>Durch ihn sind auch das Spiel und andere Programme zu sehen, die die Sandbox des Flatpaks verbirgt.</translation>
    </message>
    <message>
        <source>Turn on pressure (PSI)</source>
        <translation>Druck (PSI) einschalten</translation>
    </message>
    <message>
        <source>Version {version}. It fits this program.</source>
        <translation>Version {version}. Er passt zu diesem Programm.</translation>
    </message>
    <message>
        <source>Version {version}. It is newer than this program, which knows {own}: it works, and what is new in it is not shown. Bring this program up to date.</source>
        <translation>Version {version}. Er ist neuer als dieses Programm, das {own} kennt: Er funktioniert, und was an ihm neu ist, wird nicht gezeigt. Bringen Sie dieses Programm auf den neuesten Stand.</translation>
    </message>
    <message>
        <source>Version {version}. It is older than this program, which knows {own}: it works, and refuses what it does not know yet.</source>
        <translation>Version {version}. Er ist älter als dieses Programm, das {own} kennt: Er funktioniert, und lehnt ab, was er noch nicht kennt.</translation>
    </message>
    <message>
        <source>{what}: {why}</source>
        <translation>{what}: {why}</translation>
    </message>
</context>
<context>
    <name>ArrivingFrames</name>
    <message>
        <source>Frames arrive: {count} a second, told by {tool}</source>
        <translation>Bilder kommen an: {count} in der Sekunde, gemeldet von {tool}</translation>
    </message>
    <message>
        <source>Waiting for X-Plane at {address}…</source>
        <translation>Warten auf X-Plane unter {address}…</translation>
    </message>
    <message>
        <source>Waiting for the first frame…</source>
        <translation>Warten auf das erste Bild…</translation>
    </message>
    <message>
        <source>Waiting for the next frame…</source>
        <translation>Warten auf das nächste Bild…</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Its first measurements come within some seconds.</source>
        <translation>Die ersten Messwerte davon kommen in einigen Sekunden.</translation>
    </message>
    <message>
        <source>Looking at {name}…</source>
        <translation>{name} wird angesehen …</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>Messung läuft…</translation>
    </message>
    <message>
        <source>Record this as a baseline</source>
        <translation>Als Vergleich aufnehmen</translation>
    </message>
    <message>
        <source>Show the stutters</source>
        <translation>Ruckler zeigen</translation>
    </message>
    <message>
        <source>Show what is missing</source>
        <translation>Zeigen, was fehlt</translation>
    </message>
    <message>
        <source>Show what is possible</source>
        <translation>Mögliches zeigen</translation>
    </message>
    <message>
        <source>The measuring process starts.</source>
        <translation>Der Messprozess startet.</translation>
    </message>
    <message>
        <source>The recording ended by itself</source>
        <translation>Die Aufnahme hat von selbst geendet</translation>
    </message>
</context>
<context>
    <name>CauseCard</name>
    <message>
        <source>{cause}: {mark}, {share}</source>
        <translation>{cause}: {mark}, {share}</translation>
    </message>
</context>
<context>
    <name>CauseDetail</name>
    <message>
        <source>Details for experts</source>
        <translation>Einzelheiten für Fachleute</translation>
    </message>
    <message>
        <source>It only came with: {cause}</source>
        <translation>Es kam nur zusammen mit: {cause}</translation>
    </message>
    <message>
        <source>Slowest requests to drives</source>
        <translation>Langsamste Anfragen an Laufwerke</translation>
    </message>
    <message>
        <source>Source: {text}</source>
        <translation>Quelle: {text}</translation>
    </message>
    <message>
        <source>Waits of the game&apos;s threads</source>
        <translation>Wartezeiten der Threads des Spiels</translation>
    </message>
    <message>
        <source>What else helps</source>
        <translation>Was sonst noch hilft</translation>
    </message>
    <message>
        <source>What to change</source>
        <translation>Was sich ändern lässt</translation>
    </message>
    <message>
        <source>What was measured</source>
        <translation>Was gemessen wurde</translation>
    </message>
    <message>
        <source>Which program it was could not be seen.</source>
        <translation>Welches Programm es war, war nicht zu sehen.</translation>
    </message>
    <message>
        <source>Who did it</source>
        <translation>Wer es war</translation>
    </message>
    <message>
        <source>Why this happens</source>
        <translation>Warum das geschieht</translation>
    </message>
</context>
<context>
    <name>CauseList</name>
    <message>
        <source>Causes, the most likely first</source>
        <translation>Ursachen, die wahrscheinlichste zuerst</translation>
    </message>
</context>
<context>
    <name>CauseMenu</name>
    <message>
        <source>Cause {text}</source>
        <translation>Ursache {text}</translation>
    </message>
    <message>
        <source>{cause} — {share}</source>
        <translation>{cause} – {share}</translation>
    </message>
    <message>
        <source>{number} of {count}: {line}</source>
        <translation>{number} von {count}: {line}</translation>
    </message>
</context>
<context>
    <name>CauseView</name>
    <message numerus="yes">
        <source>In {count} of %n stutter(s) it worked for most of the time.</source>
        <translation>
            <numerusform>Bei {count} von %n Ruckler hat es die meiste Zeit selbst gearbeitet.</numerusform>
            <numerusform>Bei {count} von %n Rucklern hat es die meiste Zeit selbst gearbeitet.</numerusform>
        </translation>
    </message>
    <message>
        <source>Set up the helper</source>
        <translation>Hilfsdienst einrichten</translation>
    </message>
    <message>
        <source>The game itself took the time</source>
        <translation>Die Zeit verbrauchte das Spiel selbst</translation>
    </message>
    <message>
        <source>What you can do</source>
        <translation>Was Sie tun können</translation>
    </message>
    <message>
        <source>Who did it</source>
        <translation>Wer es war</translation>
    </message>
</context>
<context>
    <name>Causes</name>
    <message numerus="yes">
        <source>%n frame(s) at {hertz} Hz</source>
        <translation>
            <numerusform>%n Bild bei {hertz} Hz</numerusform>
            <numerusform>%n Bilder bei {hertz} Hz</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stutter(s) seen.</source>
        <translation>
            <numerusform>%n Ruckler gesehen.</numerusform>
            <numerusform>%n Ruckler gesehen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Also seen</source>
        <translation>Auch gesehen</translation>
    </message>
    <message>
        <source>Also seen, not shown to be the cause</source>
        <translation>Auch gesehen, als Ursache nicht belegt</translation>
    </message>
    <message>
        <source>Another program has changes on trial. Wait until they end.</source>
        <translation>Ein anderes Programm hat Änderungen auf Probe. Bitte deren Ende abwarten.</translation>
    </message>
    <message>
        <source>Asks for your password once. Lasts until restart; every change can be undone.</source>
        <translation>Fragt einmal nach dem Passwort. Gilt bis zum Neustart; jede Änderung lässt sich rückgängig machen.</translation>
    </message>
    <message>
        <source>Asks for your password. The trial ends with {game}, and the old values come back by themselves.</source>
        <translation>Fragt nach Ihrem Passwort. Die Probe endet mit {game}, und die alten Werte kommen von selbst zurück.</translation>
    </message>
    <message>
        <source>Came with it</source>
        <translation>Kam mit</translation>
    </message>
    <message>
        <source>Causes appear here after the first seconds of measuring.</source>
        <translation>Ursachen erscheinen hier nach den ersten Sekunden der Messung.</translation>
    </message>
    <message>
        <source>Changes are on trial. Stop the trial or keep them at the top first.</source>
        <translation>Es läuft ein Versuch. Erst oben den Versuch beenden oder die Änderungen behalten.</translation>
    </message>
    <message>
        <source>Confidence: {word}</source>
        <translation>Sicherheit: {word}</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>Früher</translation>
    </message>
    <message>
        <source>Earlier, none in the last {minutes} minutes</source>
        <translation>Früher, keiner in den letzten {minutes} Minuten</translation>
    </message>
    <message>
        <source>Evidence: hiccup at {time}, {length}</source>
        <translation>Beleg: Aussetzer um {time}, {length}</translation>
    </message>
    <message>
        <source>Evidence: strongest at {time}</source>
        <translation>Beleg: am stärksten um {time}</translation>
    </message>
    <message>
        <source>Evidence: strongest at {time}, no stutter then</source>
        <translation>Beleg: am stärksten um {time}, ohne Ruckler</translation>
    </message>
    <message>
        <source>Evidence: stutter at {time}, {length}</source>
        <translation>Beleg: Ruckler um {time}, {length}</translation>
    </message>
    <message>
        <source>Go to Live</source>
        <translation>Zu Live</translation>
    </message>
    <message>
        <source>Hiccups explained</source>
        <translation>Erklärte Aussetzer</translation>
    </message>
    <message>
        <source>Hitches</source>
        <translation>Hänger</translation>
    </message>
    <message>
        <source>Hitches explained</source>
        <translation>Erklärte Hänger</translation>
    </message>
    <message>
        <source>Longest hiccup</source>
        <translation>Längster Aussetzer</translation>
    </message>
    <message>
        <source>Longest hitch</source>
        <translation>Längster Hänger</translation>
    </message>
    <message>
        <source>Longest stutter</source>
        <translation>Längster Ruckler</translation>
    </message>
    <message>
        <source>Looking for the helper…</source>
        <translation>Hilfsdienst wird gesucht…</translation>
    </message>
    <message>
        <source>Lost time</source>
        <translation>Verlorene Zeit</translation>
    </message>
    <message>
        <source>No cause stands out</source>
        <translation>Keine Ursache sticht hervor</translation>
    </message>
    <message>
        <source>Nothing measured yet</source>
        <translation>Noch nichts gemessen</translation>
    </message>
    <message>
        <source>Nothing points to this group: {group}</source>
        <translation>Keine Ursache in dieser Gruppe gefunden: {group}</translation>
    </message>
    <message>
        <source>Possible</source>
        <translation>Möglich</translation>
    </message>
    <message>
        <source>Settings cannot be changed by a click here. For experts: the commands.</source>
        <translation>Hier lassen sich Einstellungen nicht per Klick ändern. Für Fachleute: die Befehle.</translation>
    </message>
    <message>
        <source>Show all causes</source>
        <translation>Alle Ursachen zeigen</translation>
    </message>
    <message>
        <source>Start a game, or watch the whole computer. What makes it stutter is named here.</source>
        <translation>Ein Spiel starten oder den ganzen Rechner beobachten. Was zum Ruckeln führt, wird hier genannt.</translation>
    </message>
    <message>
        <source>Stutters explained</source>
        <translation>Erklärte Ruckler</translation>
    </message>
    <message>
        <source>The helper does not fit this program: {reason}</source>
        <translation>Der Hilfsdienst passt nicht zu diesem Programm: {reason}</translation>
    </message>
    <message>
        <source>The helper does not work: {reason}</source>
        <translation>Der Hilfsdienst funktioniert nicht: {reason}</translation>
    </message>
    <message>
        <source>The helper is not installed. Destutter can measure and explain without it.</source>
        <translation>Der Hilfsdienst ist nicht installiert. Destutter kann auch ohne ihn messen und erklären.</translation>
    </message>
    <message>
        <source>This recording is from another computer, so nothing can be applied here. The commands are for that one.</source>
        <translation>Diese Aufnahme stammt von einem anderen Rechner, deshalb lässt sich hier nichts anwenden. Die Befehle gelten für jenen.</translation>
    </message>
    <message>
        <source>Tick what you want to change.</source>
        <translation>Ankreuzen, was geändert werden soll.</translation>
    </message>
    <message>
        <source>What is kept for {game} is set while it runs. Take it back on the page Changes to try something else.</source>
        <translation>Was für {game} behalten ist, ist gesetzt, solange es läuft. Um anderes auszuprobieren, nehmen Sie es auf der Seite „Änderungen“ zurück.</translation>
    </message>
    <message>
        <source>What is not measured</source>
        <translation>Was nicht gemessen wird</translation>
    </message>
    <message>
        <source>What the game waited for at them could not be seen.</source>
        <translation>Worauf das Spiel dabei wartete, war nicht zu sehen.</translation>
    </message>
    <message>
        <source>What was found in it is shown when it is read.</source>
        <translation>Was darin gefunden wurde, steht hier, sobald sie gelesen ist.</translation>
    </message>
    <message>
        <source>at {time}, counts from {value}</source>
        <translation>um {time}, zählt ab {value}</translation>
    </message>
    <message>
        <source>in the last {minutes} minutes</source>
        <translation>in den letzten {minutes} Minuten</translation>
    </message>
    <message>
        <source>in the part that was played</source>
        <translation>in dem Teil, der abgespielt wurde</translation>
    </message>
    <message>
        <source>moments with frames {least} or more too late</source>
        <translation>Momente mit Bildern, die {least} oder mehr zu spät kamen</translation>
    </message>
    <message>
        <source>most of what was lost</source>
        <translation>das meiste, was verloren ging</translation>
    </message>
    <message>
        <source>since the game started</source>
        <translation>seit dem Start des Spiels</translation>
    </message>
    <message>
        <source>too late</source>
        <translation>zu spät</translation>
    </message>
    <message>
        <source>{counted} {detail}</source>
        <translation>{counted} {detail}</translation>
    </message>
    <message>
        <source>{explained} of {total}</source>
        <translation>{explained} von {total}</translation>
    </message>
    <message>
        <source>{group} · {confidence}</source>
        <translation>{group} · {confidence}</translation>
    </message>
</context>
<context>
    <name>CausesPage</name>
    <message numerus="yes">
        <source>A cause is known for {count} of %n stutter(s) in the last {minutes} minutes</source>
        <translation>
            <numerusform>Eine Ursache ist bekannt für {count} von %n Ruckler in den letzten {minutes} Minuten</numerusform>
            <numerusform>Eine Ursache ist bekannt für {count} von %n Rucklern in den letzten {minutes} Minuten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A cause is known for {count} of %n stutter(s) since the game started</source>
        <translation>
            <numerusform>Eine Ursache ist bekannt für {count} von %n Ruckler seit dem Start des Spiels</numerusform>
            <numerusform>Eine Ursache ist bekannt für {count} von %n Rucklern seit dem Start des Spiels</numerusform>
        </translation>
    </message>
    <message>
        <source>Causes</source>
        <translation>Ursachen</translation>
    </message>
    <message>
        <source>Measuring stopped. This is what was found until then.</source>
        <translation>Die Messung ist beendet. Das wurde bis dahin gefunden.</translation>
    </message>
    <message>
        <source>Only causes of the group {group}</source>
        <translation>Nur Ursachen der Gruppe {group}</translation>
    </message>
    <message>
        <source>Recording {name}</source>
        <translation>Aufnahme {name}</translation>
    </message>
    <message>
        <source>Show all causes</source>
        <translation>Alle Ursachen zeigen</translation>
    </message>
    <message>
        <source>What made the game stutter, ranked by the time that it cost</source>
        <translation>Was das Spiel ruckeln ließ, geordnet nach der Zeit, die es kostete</translation>
    </message>
    <message>
        <source>What made the game that ran before stutter</source>
        <translation>Was das Spiel ruckeln ließ, das davor lief</translation>
    </message>
</context>
<context>
    <name>ChangeRow</name>
    <message>
        <source>Keep the present value of {setting}</source>
        <translation>Jetzigen Wert behalten: {setting}</translation>
    </message>
    <message>
        <source>Keep {value}</source>
        <translation>{value} behalten</translation>
    </message>
    <message>
        <source>Not changed: {reason}</source>
        <translation>Nicht geändert: {reason}</translation>
    </message>
    <message>
        <source>Restore the original value of {setting}</source>
        <translation>Ursprünglichen Wert wiederherstellen: {setting}</translation>
    </message>
    <message>
        <source>Restore {value}</source>
        <translation>{value} wiederherstellen</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>Zurücknehmen</translation>
    </message>
    <message>
        <source>Takes back everything that is on trial</source>
        <translation>Nimmt alles zurück, was auf Probe ist</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Undo {setting}</source>
        <translation>{setting} rückgängig machen</translation>
    </message>
</context>
<context>
    <name>ChangeTable</name>
    <message>
        <source>Changed by</source>
        <translation>Geändert von</translation>
    </message>
    <message>
        <source>Lasts</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Original and now</source>
        <translation>Ursprünglich und jetzt</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
</context>
<context>
    <name>Changes</name>
    <message numerus="yes">
        <source>%n setting(s) changed by something else</source>
        <translation>
            <numerusform>%n Einstellung von anderer Seite geändert</numerusform>
            <numerusform>%n Einstellungen von anderer Seite geändert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) kept for every start</source>
        <translation>
            <numerusform>%n Einstellung für jeden Start behalten</numerusform>
            <numerusform>%n Einstellungen für jeden Start behalten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) kept until the restart</source>
        <translation>
            <numerusform>%n Einstellung bis zum Neustart behalten</numerusform>
            <numerusform>%n Einstellungen bis zum Neustart behalten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) left as found</source>
        <translation>
            <numerusform>%n Einstellung wie vorgefunden belassen</numerusform>
            <numerusform>%n Einstellungen wie vorgefunden belassen</numerusform>
        </translation>
    </message>
    <message>
        <source>A note of the helper</source>
        <translation>Ein Hinweis des Hilfsdienstes</translation>
    </message>
    <message>
        <source>A value that was undone is back</source>
        <translation>Ein rückgängig gemachter Wert ist wieder da</translation>
    </message>
    <message>
        <source>Another program took it for the original and set it again: {settings}.</source>
        <translation>Ein anderes Programm hielt ihn für den ursprünglichen und hat ihn wieder gesetzt: {settings}.</translation>
    </message>
    <message>
        <source>Applied</source>
        <translation>Angewendet</translation>
    </message>
    <message>
        <source>Applied: {what}</source>
        <translation>Angewendet: {what}</translation>
    </message>
    <message>
        <source>Before: {value}</source>
        <translation>Vorher: {value}</translation>
    </message>
    <message>
        <source>Changed by something else</source>
        <translation>Von anderer Seite geändert</translation>
    </message>
    <message>
        <source>Changed since</source>
        <translation>Seither geändert</translation>
    </message>
    <message>
        <source>Changes are not possible now</source>
        <translation>Änderungen sind jetzt nicht möglich</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Destutter</source>
        <translation>Destutter</translation>
    </message>
    <message>
        <source>Every start</source>
        <translation>Jeder Start</translation>
    </message>
    <message>
        <source>In force</source>
        <translation>In Kraft</translation>
    </message>
    <message>
        <source>In the system</source>
        <translation>Im System</translation>
    </message>
    <message>
        <source>It has the recommended value already.</source>
        <translation>Der empfohlene Wert ist schon gesetzt.</translation>
    </message>
    <message>
        <source>It starts with the values that everything else has.</source>
        <translation>Es startet mit den Werten, die auch sonst gelten.</translation>
    </message>
    <message>
        <source>It was taken back elsewhere.</source>
        <translation>Sie wurde an anderer Stelle zurückgenommen.</translation>
    </message>
    <message>
        <source>Its time was over.</source>
        <translation>Ihre Zeit war um.</translation>
    </message>
    <message>
        <source>Its values were kept elsewhere.</source>
        <translation>Ihre Werte wurden an anderer Stelle behalten.</translation>
    </message>
    <message>
        <source>Keep what is there now, or restore the value from before.</source>
        <translation>Behalten, was jetzt gilt, oder den Wert von vorher wiederherstellen.</translation>
    </message>
    <message>
        <source>Kept for {game}</source>
        <translation>Für {game} behalten</translation>
    </message>
    <message>
        <source>No better value is known for this computer.</source>
        <translation>Für diesen Rechner ist kein besserer Wert bekannt.</translation>
    </message>
    <message>
        <source>Not changed: {reason}</source>
        <translation>Nicht geändert: {reason}</translation>
    </message>
    <message>
        <source>Not possible here</source>
        <translation>Hier nicht möglich</translation>
    </message>
    <message>
        <source>Not when</source>
        <translation>Wann nicht</translation>
    </message>
    <message>
        <source>Nothing is kept for {game} any more</source>
        <translation>Für {game} ist nichts mehr behalten</translation>
    </message>
    <message>
        <source>Nothing is left to undo</source>
        <translation>Es gibt nichts mehr rückgängig zu machen</translation>
    </message>
    <message>
        <source>Nothing to change</source>
        <translation>Nichts zu ändern</translation>
    </message>
    <message>
        <source>Now {now}. Something else changed it since.</source>
        <translation>Jetzt {now}. Seither von anderer Seite geändert.</translation>
    </message>
    <message>
        <source>Now {now}; Destutter set {ours} ({when}). Something changed it since.</source>
        <translation>Jetzt {now}; Destutter hatte {ours} gesetzt ({when}). Seither von anderer Seite geändert.</translation>
    </message>
    <message>
        <source>Now {now}; Destutter set {ours}. Something changed it since.</source>
        <translation>Jetzt {now}; Destutter hatte {ours} gesetzt. Seither von anderer Seite geändert.</translation>
    </message>
    <message>
        <source>Offered</source>
        <translation>Angeboten</translation>
    </message>
    <message>
        <source>On trial</source>
        <translation>Auf Probe</translation>
    </message>
    <message>
        <source>On trial. It goes back by itself unless it is kept.</source>
        <translation>Auf Probe. Wird von selbst zurückgenommen, wenn sie nicht behalten wird.</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Set at every start of the computer. The page Changes undoes it.</source>
        <translation>Gilt bei jedem Start des Rechners. Die Seite „Änderungen“ macht es rückgängig.</translation>
    </message>
    <message>
        <source>Set each time it runs while Destutter does, in the background too, without a password; taken back when it ends. Settings starts Destutter with the desktop; the page Changes removes what is kept.</source>
        <translation>Wird jedes Mal gesetzt, wenn es läuft und Destutter auch, sei es im Hintergrund, und zwar ohne Passwort; beim Ende des Spiels zurückgenommen. Die Einstellungen starten Destutter mit dem Desktop; die Seite „Änderungen“ entfernt, was behalten ist.</translation>
    </message>
    <message>
        <source>Something else changed it since Destutter set it.</source>
        <translation>Von anderer Seite geändert, seit Destutter es gesetzt hat.</translation>
    </message>
    <message>
        <source>Something else has changed since: {settings}. Decide below.</source>
        <translation>Seither von anderer Seite geändert: {settings}. Unten entscheiden.</translation>
    </message>
    <message>
        <source>The computer or the helper was shut down.</source>
        <translation>Der Rechner oder der Hilfsdienst wurde heruntergefahren.</translation>
    </message>
    <message>
        <source>The game has ended.</source>
        <translation>Das Spiel ist zu Ende.</translation>
    </message>
    <message>
        <source>The helper can change settings.</source>
        <translation>Der Hilfsdienst kann Einstellungen ändern.</translation>
    </message>
    <message>
        <source>The helper cannot use its journal.</source>
        <translation>Der Hilfsdienst kann sein Journal nicht verwenden.</translation>
    </message>
    <message>
        <source>The kernel took no other value: {settings}. See below.</source>
        <translation>Der Kernel hat keinen anderen Wert angenommen: {settings}. Näheres unten.</translation>
    </message>
    <message>
        <source>The last trial was undone automatically: {when}</source>
        <translation>Die letzte Probe wurde von selbst rückgängig gemacht: {when}</translation>
    </message>
    <message>
        <source>The program that began it let go of it.</source>
        <translation>Das Programm, das sie begann, hat sie losgelassen.</translation>
    </message>
    <message>
        <source>The program that began it, or the helper, ended.</source>
        <translation>Das Programm, das sie begann, oder der Hilfsdienst hat geendet.</translation>
    </message>
    <message>
        <source>The trial ended</source>
        <translation>Die Probe ist zu Ende</translation>
    </message>
    <message>
        <source>The trial ended and the old values are back</source>
        <translation>Die Probe ist zu Ende, die alten Werte gelten wieder</translation>
    </message>
    <message>
        <source>The trial was taken back</source>
        <translation>Die Probe wurde zurückgenommen</translation>
    </message>
    <message>
        <source>The values from before are back.</source>
        <translation>Die Werte von vorher gelten wieder.</translation>
    </message>
    <message>
        <source>Today {time}</source>
        <translation>Heute {time}</translation>
    </message>
    <message>
        <source>Trial</source>
        <translation>Probe</translation>
    </message>
    <message>
        <source>Trial, {time}</source>
        <translation>Probe, {time}</translation>
    </message>
    <message numerus="yes">
        <source>Undid %n change(s)</source>
        <translation>
            <numerusform>%n Änderung rückgängig gemacht</numerusform>
            <numerusform>%n Änderungen rückgängig gemacht</numerusform>
        </translation>
    </message>
    <message>
        <source>Until restart</source>
        <translation>Bis zum Neustart</translation>
    </message>
    <message>
        <source>What can go wrong</source>
        <translation>Was schiefgehen kann</translation>
    </message>
    <message>
        <source>What it costs</source>
        <translation>Was es kostet</translation>
    </message>
    <message>
        <source>While {game} runs</source>
        <translation>Für {game}</translation>
    </message>
    <message>
        <source>Who set the present value</source>
        <translation>Wer den jetzigen Wert gesetzt hat</translation>
    </message>
    <message>
        <source>Why this value</source>
        <translation>Warum dieser Wert</translation>
    </message>
    <message>
        <source>Yesterday {time}</source>
        <translation>Gestern {time}</translation>
    </message>
    <message>
        <source>You, with Destutter</source>
        <translation>Selbst, mit Destutter</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <comment>pattern of a date, in the letters of Qt</comment>
        <translation>d. MMM yyyy</translation>
    </message>
    <message>
        <source>set by {who}</source>
        <translation>gesetzt von: {who}</translation>
    </message>
    <message>
        <source>{headline}. {detail}</source>
        <translation>{headline}. {detail}</translation>
    </message>
    <message>
        <source>{share} of memory</source>
        <translation>{share} des Speichers</translation>
    </message>
    <message>
        <source>{user}, with Destutter</source>
        <translation>{user}, mit Destutter</translation>
    </message>
</context>
<context>
    <name>ChangesPage</name>
    <message>
        <source>All settings</source>
        <translation>Alle Einstellungen</translation>
    </message>
    <message>
        <source>Changed by Destutter</source>
        <translation>Von Destutter geändert</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>Every setting that can cause or cure stutter: what it is now and who set it</source>
        <translation>Alle Einstellungen, die Ruckler verursachen oder beheben können: was jetzt gilt und wer es gesetzt hat</translation>
    </message>
    <message>
        <source>Everything Destutter has changed on this computer, and how to take it back</source>
        <translation>Alles, was Destutter an diesem Rechner geändert hat, und wie es sich zurücknehmen lässt</translation>
    </message>
    <message>
        <source>Make the change again that was undone</source>
        <translation>Rückgängig gemachte Änderung wiederholen</translation>
    </message>
    <message>
        <source>Undo all changes</source>
        <translation>Alles rückgängig machen</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
</context>
<context>
    <name>ChangesView</name>
    <message>
        <source>Ask again</source>
        <translation>Erneut fragen</translation>
    </message>
    <message>
        <source>Destutter can measure and explain without it. To change settings with one click, install the helper. Until then, every cause offers commands that can be copied.</source>
        <translation>Destutter kann auch ohne ihn messen und erklären. Um Einstellungen mit einem Klick zu ändern, den Hilfsdienst installieren. Bis dahin bietet jede Ursache Befehle zum Kopieren.</translation>
    </message>
    <message>
        <source>Forget the journal</source>
        <translation>Journal vergessen</translation>
    </message>
    <message>
        <source>Go to Causes</source>
        <translation>Zu den Ursachen</translation>
    </message>
    <message>
        <source>No setting of this computer is changed by Destutter now.</source>
        <translation>Zurzeit ist an diesem Rechner keine Einstellung durch Destutter verändert.</translation>
    </message>
    <message>
        <source>Not asked</source>
        <translation>Nicht gefragt</translation>
    </message>
    <message>
        <source>Nothing changed</source>
        <translation>Nichts geändert</translation>
    </message>
    <message>
        <source>Nothing is known yet of what was changed on this computer.</source>
        <translation>Noch ist nicht bekannt, was an diesem Rechner geändert wurde.</translation>
    </message>
    <message>
        <source>Settings cannot be changed by a click here</source>
        <translation>Einstellungen lassen sich hier nicht mit einem Klick ändern</translation>
    </message>
    <message>
        <source>Show all settings</source>
        <translation>Alle Einstellungen zeigen</translation>
    </message>
    <message>
        <source>The helper cannot use its journal, so it changes nothing more. What Destutter had set stays until the computer restarts. To go on before that, let the helper forget the journal.</source>
        <translation>Der Hilfsdienst kann sein Journal nicht verwenden und ändert deshalb nichts mehr. Was Destutter gesetzt hatte, bleibt bis zum Neustart des Rechners. Um vorher weiterzumachen, kann der Hilfsdienst das Journal vergessen.</translation>
    </message>
    <message>
        <source>The helper does not fit this program</source>
        <translation>Der Hilfsdienst passt nicht zu diesem Programm</translation>
    </message>
    <message>
        <source>The helper does not work</source>
        <translation>Der Hilfsdienst funktioniert nicht</translation>
    </message>
    <message>
        <source>The helper is not installed</source>
        <translation>Der Hilfsdienst ist nicht installiert</translation>
    </message>
    <message>
        <source>Undo restores every value. {notes}</source>
        <translation>„Rückgängig“ stellt jeden Wert wieder her. {notes}</translation>
    </message>
    <message>
        <source>What was changed is not known</source>
        <translation>Was geändert wurde, ist nicht bekannt</translation>
    </message>
    <message>
        <source>{reason} Everything is measured without it, and every cause has commands to copy.</source>
        <translation>{reason} Ohne ihn wird alles gemessen, und jede Ursache hat Befehle zum Kopieren.</translation>
    </message>
    <message>
        <source>{reason} Install the same version of both.</source>
        <translation>{reason} Bitte beide in derselben Version installieren.</translation>
    </message>
</context>
<context>
    <name>CheckStep</name>
    <message>
        <source>All {count} are ready.</source>
        <translation>Alle {count} sind bereit.</translation>
    </message>
    <message>
        <source>Back to the list</source>
        <translation>Zurück zur Liste</translation>
    </message>
    <message>
        <source>Not here</source>
        <translation>Nicht hier</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Set up: {what}</source>
        <translation>Einrichten: {what}</translation>
    </message>
    <message>
        <source>Set up…</source>
        <translation>Einrichten…</translation>
    </message>
    <message>
        <source>The first result takes a few seconds.</source>
        <translation>Das erste Ergebnis braucht einige Sekunden.</translation>
    </message>
    <message>
        <source>What can be measured here</source>
        <translation>Was sich hier messen lässt</translation>
    </message>
    <message>
        <source>{ready} of {count} are ready. You can go on without the others.</source>
        <translation>{ready} von {count} sind bereit. Es geht auch ohne die anderen weiter.</translation>
    </message>
</context>
<context>
    <name>ChoiceRow</name>
    <message>
        <source>Risk: {word}</source>
        <translation>Risiko: {word}</translation>
    </message>
    <message>
        <source>Why: {title}</source>
        <translation>Warum: {title}</translation>
    </message>
    <message>
        <source>Why?</source>
        <translation>Warum?</translation>
    </message>
</context>
<context>
    <name>ChooseStep</name>
    <message>
        <source>A setting helps</source>
        <translation>Eine Einstellung hilft</translation>
    </message>
    <message>
        <source>A setting helps; Destutter changes it with its helper.</source>
        <translation>Eine Einstellung hilft; Destutter ändert sie mit seinem Hilfsdienst.</translation>
    </message>
    <message numerus="yes">
        <source>Acts on the cause of {count} of %n stutter(s).</source>
        <translation>
            <numerusform>Wirkt auf die Ursache von {count} von %n Ruckler.</numerusform>
            <numerusform>Wirkt auf die Ursache von {count} der %n Ruckler.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Apply %n change(s)</source>
        <translation>
            <numerusform>%n Änderung anwenden</numerusform>
            <numerusform>%n Änderungen anwenden</numerusform>
        </translation>
    </message>
    <message>
        <source>Back to the advice</source>
        <translation>Zurück zum Rat</translation>
    </message>
    <message>
        <source>Choose what to try</source>
        <translation>Auswählen, was ausprobiert wird</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Copy as commands</source>
        <translation>Als Befehle kopieren</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>Do that or try the changes, not both at once: else no comparison tells which helped.</source>
        <translation>Entweder das oder die Änderungen ausprobieren, nicht beides zugleich: Sonst sagt kein Vergleich, was geholfen hat.</translation>
    </message>
    <message>
        <source>From {old} to {new}.</source>
        <translation>Von {old} auf {new}.</translation>
    </message>
    <message>
        <source>Go back to record again.</source>
        <translation>Mit „Zurück“ lässt sich neu aufnehmen.</translation>
    </message>
    <message>
        <source>If that is not enough: {setting}</source>
        <translation>Falls das nicht reicht: {setting}</translation>
    </message>
    <message>
        <source>It has its present value from {file}.</source>
        <translation>Den jetzigen Wert hat es aus {file}.</translation>
    </message>
    <message>
        <source>It has this value already.</source>
        <translation>Dieser Wert ist schon gesetzt.</translation>
    </message>
    <message>
        <source>It lasts as long as {game} runs.</source>
        <translation>Das gilt, solange {game} läuft.</translation>
    </message>
    <message>
        <source>It lasts until restart.</source>
        <translation>Das gilt bis zum Neustart.</translation>
    </message>
    <message>
        <source>Look for the password window; it may be behind this one.</source>
        <translation>Das Fenster für das Passwort liegt vielleicht hinter diesem.</translation>
    </message>
    <message>
        <source>Looking for the causes</source>
        <translation>Ursachen werden gesucht</translation>
    </message>
    <message>
        <source>No change is chosen; read “Why?” before you choose one.</source>
        <translation>Keine Änderung ist ausgewählt; lesen Sie „Warum?“, bevor Sie eine auswählen.</translation>
    </message>
    <message>
        <source>Not all of it was changed; the Changes page says what</source>
        <translation>Nicht alles wurde geändert; die Seite „Änderungen“ sagt, was</translation>
    </message>
    <message>
        <source>Not changed: {reason}</source>
        <translation>Nicht geändert: {reason}</translation>
    </message>
    <message>
        <source>Nothing to change</source>
        <translation>Nichts zu ändern</translation>
    </message>
    <message>
        <source>Nothing was changed</source>
        <translation>Nichts wurde geändert</translation>
    </message>
    <message>
        <source>Record again without a change</source>
        <translation>Ohne Änderung neu aufnehmen</translation>
    </message>
    <message>
        <source>The changes of low risk are chosen; read “Why?” before adding more.</source>
        <translation>Die Änderungen mit geringem Risiko sind ausgewählt; vor weiteren „Warum?“ lesen.</translation>
    </message>
    <message>
        <source>The commands are in the clipboard</source>
        <translation>Die Befehle sind in der Zwischenablage</translation>
    </message>
    <message>
        <source>The recording cannot be read</source>
        <translation>Die Aufnahme lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>The recording is being read.</source>
        <translation>Die Aufnahme wird gelesen.</translation>
    </message>
    <message>
        <source>The report is copied</source>
        <translation>Der Bericht ist kopiert</translation>
    </message>
    <message>
        <source>The settings are being changed.</source>
        <translation>Die Einstellungen werden geändert.</translation>
    </message>
    <message>
        <source>They took most of the lost time.</source>
        <translation>Sie kosteten das meiste der verlorenen Zeit.</translation>
    </message>
    <message>
        <source>Waiting for your password…</source>
        <translation>Warten auf das Passwort…</translation>
    </message>
    <message>
        <source>While the game runs they can be tried for as long as it does.</source>
        <translation>Während das Spiel läuft, lassen sie sich so lange ausprobieren, wie es läuft.</translation>
    </message>
    <message>
        <source>{length} are too short to judge anything. Go back and record again.</source>
        <translation>{length} sind zu kurz, um etwas zu beurteilen. Gehen Sie zurück und nehmen Sie noch einmal auf.</translation>
    </message>
    <message>
        <source>{verdict}. In these {length} nothing was found that a setting could improve. Record longer, or a heavier scene; the Causes page says what was measured.</source>
        <translation>{verdict}. In diesen {length} wurde nichts gefunden, was eine Einstellung bessern könnte. Länger aufnehmen oder eine schwerere Szene; die Seite „Ursachen“ sagt, was gemessen wurde.</translation>
    </message>
    <message>
        <source>{verdict}. No setting helps in more than a few of them.</source>
        <translation>{verdict}. Keine Einstellung hilft bei mehr als wenigen davon.</translation>
    </message>
    <message>
        <source>{verdict}. No setting of the computer helps here.</source>
        <translation>{verdict}. Hier hilft keine Einstellung des Rechners.</translation>
    </message>
    <message>
        <source>{verdict}. {advice}</source>
        <translation>{verdict}. {advice}</translation>
    </message>
</context>
<context>
    <name>Closing</name>
    <message>
        <source>It keeps measuring while you play.</source>
        <translation>Es misst weiter, während gespielt wird.</translation>
    </message>
    <message>
        <source>Keep measuring</source>
        <translation>Weiter messen</translation>
    </message>
    <message>
        <source>Keep measuring in the background?</source>
        <translation>Im Hintergrund weiter messen?</translation>
    </message>
    <message>
        <source>Open Destutter again to come back, or to quit with {keys}. Your answer holds from now on; Settings has it.</source>
        <translation>Destutter noch einmal öffnen, um zurückzukommen oder mit {keys} zu beenden. Die Antwort gilt von jetzt an; sie steht in den Einstellungen.</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>The recording goes on in the background: open Destutter again to come back. Quitting ends it and keeps what there is.</source>
        <translation>Die Aufnahme läuft im Hintergrund weiter: Destutter noch einmal öffnen, um zurückzukommen. Beenden schließt sie ab und behält sie.</translation>
    </message>
    <message>
        <source>What is changed for {game} goes back when Destutter quits.</source>
        <translation>Was für {game} geändert ist, gilt nicht mehr, sobald Destutter beendet wird.</translation>
    </message>
    <message>
        <source>What is kept for games is set only while Destutter runs.</source>
        <translation>Was für Spiele behalten ist, wird nur gesetzt, solange Destutter läuft.</translation>
    </message>
    <message>
        <source>What is kept for games is set only while Destutter runs; Settings starts it with the desktop.</source>
        <translation>Was für Spiele behalten ist, wird nur gesetzt, solange Destutter läuft; die Einstellungen starten es mit dem Desktop.</translation>
    </message>
</context>
<context>
    <name>CommandRow</name>
    <message>
        <source>Copy this line</source>
        <translation>Diese Zeile kopieren</translation>
    </message>
    <message>
        <source>Copy: {line}</source>
        <translation>Kopieren: {line}</translation>
    </message>
</context>
<context>
    <name>Compare</name>
    <message>
        <source>A  before</source>
        <translation>A  vorher</translation>
    </message>
    <message>
        <source>B  after</source>
        <translation>B  nachher</translation>
    </message>
    <message>
        <source>Graph and tables show the newest of A and of B</source>
        <translation>Kurve und Tabellen zeigen die neueste von A und von B</translation>
    </message>
</context>
<context>
    <name>CompareStep</name>
    <message>
        <source>Both recordings are being read.</source>
        <translation>Beide Aufnahmen werden gelesen.</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Did it help?</source>
        <translation>Hat es geholfen?</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>It is gone: {before} stutters before, {after} after</source>
        <translation>Es ist weg: vorher {before} Ruckler, danach {after}</translation>
    </message>
    <message>
        <source>It stays so as long as {programs} stays closed while you play.</source>
        <translation>Das bleibt so, solange {programs} beim Spielen geschlossen bleibt.</translation>
    </message>
    <message>
        <source>Next cause</source>
        <translation>Nächste Ursache</translation>
    </message>
    <message>
        <source>Play the same part again and record it.</source>
        <translation>Denselben Abschnitt noch einmal spielen und aufnehmen.</translation>
    </message>
    <message>
        <source>Play the same part again, about as long as before.</source>
        <translation>Denselben Abschnitt noch einmal spielen, etwa so lange wie vorher.</translation>
    </message>
    <message>
        <source>Set each time it runs, taken back when it ends.</source>
        <translation>Gesetzt, sooft es läuft, zurückgenommen, wenn es endet.</translation>
    </message>
    <message>
        <source>Show the whole comparison</source>
        <translation>Ganzen Vergleich zeigen</translation>
    </message>
    <message>
        <source>Start recording</source>
        <translation>Aufnahme starten</translation>
    </message>
    <message>
        <source>Stop and compare</source>
        <translation>Stoppen und vergleichen</translation>
    </message>
    <message>
        <source>That did not work; the Changes page says more</source>
        <translation>Das hat nicht geklappt; die Seite „Änderungen“ sagt mehr</translation>
    </message>
    <message>
        <source>The changes are in place. Play the same part again and record it.</source>
        <translation>Die Änderungen sind gesetzt. Denselben Abschnitt noch einmal spielen und aufnehmen.</translation>
    </message>
    <message>
        <source>The changes are kept for every start</source>
        <translation>Die Änderungen bleiben für jeden Start</translation>
    </message>
    <message>
        <source>The changes are kept for {game}</source>
        <translation>Die Änderungen bleiben für {game}</translation>
    </message>
    <message>
        <source>The changes last as long as {game} runs, and that is recorded. Play the same part again, about as long as before; the verdict comes when you stop or quit it.</source>
        <translation>Die Änderungen gelten, solange {game} läuft, und das wird aufgenommen. Spielen Sie denselben Teil noch einmal, etwa so lange wie zuvor; das Ergebnis kommt, wenn Sie die Aufnahme oder das Spiel beenden.</translation>
    </message>
    <message>
        <source>The first recording is A, the second one B.</source>
        <translation>Die erste Aufnahme ist A, die zweite B.</translation>
    </message>
    <message>
        <source>The recordings cannot be compared</source>
        <translation>Die Aufnahmen lassen sich nicht vergleichen</translation>
    </message>
    <message>
        <source>{name}: {reason}</source>
        <translation>{name}: {reason}</translation>
    </message>
</context>
<context>
    <name>ConnectView</name>
    <message>
        <source>A game that writes frame times already is found by itself: start it.</source>
        <translation>Ein Spiel, das schon Bildzeiten schreibt, wird von selbst gefunden: Starten Sie es.</translation>
    </message>
    <message>
        <source>Choose your game, paste its line into the launcher once, and play.</source>
        <translation>Wählen Sie Ihr Spiel, fügen Sie seine Zeile einmal in den Starter ein, und spielen Sie.</translation>
    </message>
    <message>
        <source>Installed games</source>
        <translation>Installierte Spiele</translation>
    </message>
    <message>
        <source>Installed games are being looked for…</source>
        <translation>Installierte Spiele werden gesucht…</translation>
    </message>
    <message>
        <source>No game was found in the lists of Steam, Heroic, Lutris and X-Plane. The lines are the same for all games of a launcher:</source>
        <translation>In den Listen von Steam, Heroic, Lutris und X-Plane steht kein Spiel. Die Zeilen sind für alle Spiele eines Starters gleich:</translation>
    </message>
    <message>
        <source>Part of the game&apos;s name</source>
        <translation>Teil des Spielnamens</translation>
    </message>
    <message>
        <source>Part of the name</source>
        <translation>Teil des Namens</translation>
    </message>
    <message>
        <source>The Flatpak&apos;s sandbox hides which games are installed. The lines are the same for all games of a launcher:</source>
        <translation>Die Sandbox des Flatpaks verbirgt, welche Spiele installiert sind. Die Zeilen sind für alle Spiele eines Starters gleich:</translation>
    </message>
    <message>
        <source>Without frame times, Destutter shows how late the processor wakes a program.</source>
        <translation>Ohne Bildzeiten zeigt Destutter, wie spät der Prozessor ein Programm weckt.</translation>
    </message>
</context>
<context>
    <name>DetailView</name>
    <message>
        <source>Choose a recording</source>
        <translation>Eine Aufnahme auswählen</translation>
    </message>
    <message>
        <source>Click one to see it. Click the circles of two to compare them, or of more: the older ones are A, the newer ones B.</source>
        <translation>Ein Klick zeigt eine. Klicks auf die Kreise vergleichen zwei oder mehr: die älteren sind A, die neueren B.</translation>
    </message>
    <message>
        <source>Comment on this recording</source>
        <translation>Kommentar zu dieser Aufnahme</translation>
    </message>
    <message>
        <source>Comment: weather, airport, what you changed…</source>
        <translation>Kommentar: Wetter, Flughafen, was Sie geändert haben …</translation>
    </message>
    <message>
        <source>Compare the two newest</source>
        <translation>Die zwei neuesten vergleichen</translation>
    </message>
    <message>
        <source>Copy as text for a forum (Markdown)</source>
        <translation>Als Text für ein Forum kopieren (Markdown)</translation>
    </message>
    <message>
        <source>Correct the phases…</source>
        <translation>Phasen berichtigen…</translation>
    </message>
    <message>
        <source>Fewer measures</source>
        <translation>Weniger Messgrößen</translation>
    </message>
    <message>
        <source>More measures</source>
        <translation>Mehr Messgrößen</translation>
    </message>
    <message>
        <source>Save as a web page (HTML)…</source>
        <translation>Als Webseite speichern (HTML)…</translation>
    </message>
    <message>
        <source>Save the graph as a drawing (SVG)…</source>
        <translation>Diagramm als Zeichnung speichern (SVG)…</translation>
    </message>
    <message>
        <source>Save the graph as a picture (PNG)…</source>
        <translation>Diagramm als Bild speichern (PNG)…</translation>
    </message>
    <message>
        <source>Swap A and B</source>
        <translation>A und B tauschen</translation>
    </message>
    <message>
        <source>This file cannot be opened</source>
        <translation>Diese Datei lässt sich nicht öffnen</translation>
    </message>
</context>
<context>
    <name>Drives</name>
    <message>
        <source>It says so itself (SMART). Copy what matters to another drive first. No setting helps a failing drive.</source>
        <translation>Es sagt das selbst (SMART). Kopieren Sie zuerst, was wichtig ist, auf ein anderes Laufwerk. Einem ausfallenden Laufwerk hilft keine Einstellung.</translation>
    </message>
    <message>
        <source>Save your data: the drive {drive} is failing</source>
        <translation>Sichern Sie Ihre Daten: Das Laufwerk {drive} fällt aus</translation>
    </message>
    <message>
        <source>Show the drives</source>
        <translation>Laufwerke zeigen</translation>
    </message>
    <message>
        <source>{model} ({name})</source>
        <translation>{model} ({name})</translation>
    </message>
</context>
<context>
    <name>EventStrip</name>
    <message>
        <source>The kernel saw the game wait for {what}</source>
        <translation>Der Kernel sah das Spiel warten auf: {what}</translation>
    </message>
    <message>
        <source>a core</source>
        <translation>einen Kern</translation>
    </message>
    <message>
        <source>a drive</source>
        <translation>ein Laufwerk</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>{count} stutters</source>
        <translation>{count} Ruckler</translation>
    </message>
</context>
<context>
    <name>Evidence</name>
    <message>
        <source>CPU wake-up delay</source>
        <translation>CPU-Aufwachverzögerung</translation>
    </message>
    <message>
        <source>Frame time</source>
        <translation>Bildzeit</translation>
    </message>
</context>
<context>
    <name>EvidenceCard</name>
    <message>
        <source>Evidence as</source>
        <translation>Beleg als</translation>
    </message>
    <message>
        <source>Evidence graph</source>
        <translation>Diagramm des Belegs</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Diagramm</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>Nothing was measured yet.</source>
        <translation>Noch wurde nichts gemessen.</translation>
    </message>
    <message>
        <source>Stutter after</source>
        <translation>Ruckler danach</translation>
    </message>
    <message>
        <source>Stutter before</source>
        <translation>Ruckler davor</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>The measurements of that moment are kept no longer.</source>
        <translation>Die Messwerte dieses Moments werden nicht mehr aufbewahrt.</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>counts from {value}</source>
        <translation>zählt ab {value}</translation>
    </message>
    <message>
        <source>not measured then</source>
        <translation>dabei nicht gemessen</translation>
    </message>
    <message>
        <source>on average, counts from {value}</source>
        <translation>im Mittel, zählt ab {value}</translation>
    </message>
    <message>
        <source>too little to count, from {value}</source>
        <translation>zu wenig, zählt ab {value}</translation>
    </message>
    <message>
        <source>{number} of {count}</source>
        <translation>{number} von {count}</translation>
    </message>
</context>
<context>
    <name>EvidenceTable</name>
    <message>
        <source>Evidence as a table</source>
        <translation>Beleg als Tabelle</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message numerus="yes">
        <source>%n file(s) written</source>
        <translation>
            <numerusform>%n Datei geschrieben</numerusform>
            <numerusform>%n Dateien geschrieben</numerusform>
        </translation>
    </message>
    <message>
        <source>None of the changes fits into such a file.</source>
        <translation>Keine der Änderungen passt in eine solche Datei.</translation>
    </message>
    <message>
        <source>Nothing was written</source>
        <translation>Nichts wurde geschrieben</translation>
    </message>
    <message>
        <source>{files} in {folder}</source>
        <translation>{files} in {folder}</translation>
    </message>
    <message>
        <source>{folder}: {reason}</source>
        <translation>{folder}: {reason}</translation>
    </message>
    <message>
        <source>{written}. No file can set: {settings}.</source>
        <translation>{written}. Von keiner Datei zu setzen: {settings}.</translation>
    </message>
</context>
<context>
    <name>ExportButton</name>
    <message>
        <source>Export into a folder</source>
        <translation>In einen Ordner exportieren</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Files for sysctl.d and udev…</source>
        <translation>Dateien für sysctl.d und udev…</translation>
    </message>
    <message>
        <source>Shell script with undo…</source>
        <translation>Shell-Skript mit Rücknahme…</translation>
    </message>
</context>
<context>
    <name>FileChoice</name>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>Recordings and frame-time logs (*.destutter *.csv *.json)</source>
        <translation>Aufnahmen und Bildzeit-Protokolle (*.destutter *.csv *.json)</translation>
    </message>
    <message>
        <source>Save the report</source>
        <translation>Bericht speichern</translation>
    </message>
</context>
<context>
    <name>FramesView</name>
    <message>
        <source>Folder of MangoHud&apos;s logs</source>
        <translation>Ordner der Protokolle von MangoHud</translation>
    </message>
    <message>
        <source>Follow it no longer</source>
        <translation>Nicht mehr folgen</translation>
    </message>
    <message>
        <source>Followed: {folder}</source>
        <translation>Gefolgt wird: {folder}</translation>
    </message>
    <message>
        <source>Use another log folder…</source>
        <translation>Anderen Log-Ordner nehmen…</translation>
    </message>
</context>
<context>
    <name>GameSetup</name>
    <message>
        <source>If nothing arrives: MangoHud is missing.</source>
        <translation>Kommt nichts an: MangoHud fehlt.</translation>
    </message>
    <message>
        <source>If nothing arrives: MangoHud is missing. In a terminal:</source>
        <translation>Kommt nichts an: MangoHud fehlt. In einem Terminal:</translation>
    </message>
    <message>
        <source>If nothing arrives: MangoHud is missing. Install it in your distribution&apos;s own way.</source>
        <translation>Kommt nichts an: MangoHud fehlt. Installieren Sie es auf die Weise Ihrer Distribution.</translation>
    </message>
    <message>
        <source>If the store does not have it, in a terminal:</source>
        <translation>Falls der Shop es nicht hat, in einem Terminal:</translation>
    </message>
    <message>
        <source>Open it in the software store</source>
        <translation>Im Software-Shop öffnen</translation>
    </message>
    <message>
        <source>This needs MangoHud; whether it is there is hidden.</source>
        <translation>Dazu gehört MangoHud; ob es da ist, ist von hier nicht zu sehen.</translation>
    </message>
    <message>
        <source>{game} tells its frame times by itself: nothing is to be done.</source>
        <translation>{game} nennt seine Bildzeiten von selbst: Es ist nichts zu tun.</translation>
    </message>
</context>
<context>
    <name>GameTrials</name>
    <message>
        <source>Both recordings are read, which may take minutes. The verdict comes here, on every page.</source>
        <translation>Beide Aufnahmen werden gelesen, das kann Minuten dauern. Das Urteil erscheint hier, auf jeder Seite.</translation>
    </message>
    <message>
        <source>Show the comparison</source>
        <translation>Vergleich zeigen</translation>
    </message>
    <message>
        <source>The recordings cannot be compared</source>
        <translation>Die Aufzeichnungen lassen sich nicht vergleichen</translation>
    </message>
    <message>
        <source>The trial with {game} is over.</source>
        <translation>Die Probe mit {game} ist vorbei.</translation>
    </message>
    <message>
        <source>The trial with {game} is over: {tried} minutes with the changes against {before} minutes before.</source>
        <translation>Die Probe mit {game} ist vorbei: {tried} Minuten mit den Änderungen gegen {before} Minuten davor.</translation>
    </message>
    <message>
        <source>The trial with {game} is over; it is being compared</source>
        <translation>Der Versuch mit {game} ist vorbei; er wird verglichen</translation>
    </message>
    <message>
        <source>The trial with {game} is recorded</source>
        <translation>Die Probe mit {game} ist aufgezeichnet</translation>
    </message>
    <message>
        <source>There is no earlier recording of this game to compare with: record once without the changes, then compare both in Sessions.</source>
        <translation>Es gibt keine frühere Aufzeichnung dieses Spiels zum Vergleichen: Zeichnen Sie einmal ohne die Änderungen auf und vergleichen Sie dann beide unter Sitzungen.</translation>
    </message>
    <message>
        <source>What the computer read, wrote and took up was not as before: the play may not have been alike.</source>
        <translation>Was der Rechner gelesen, geschrieben und belegt hat, war nicht wie vorher: vielleicht wurde nicht dasselbe gespielt.</translation>
    </message>
    <message>
        <source>With the changes the computer read, wrote or took up much less than before: the play may not have been alike.</source>
        <translation>Mit den Änderungen hat der Rechner viel weniger gelesen, geschrieben oder belegt als vorher: vielleicht wurde nicht dasselbe gespielt.</translation>
    </message>
    <message>
        <source>With the changes the computer read, wrote or took up much more than before: the play may not have been alike.</source>
        <translation>Mit den Änderungen hat der Rechner viel mehr gelesen, geschrieben oder belegt als vorher: vielleicht wurde nicht dasselbe gespielt.</translation>
    </message>
    <message>
        <source>{programs} did much less than before as well, which may be what helped: try once more with all else as before.</source>
        <translation>Auch von {programs} kam viel weniger als davor, und vielleicht half das: noch einmal ausprobieren, mit allem anderen wie davor.</translation>
    </message>
</context>
<context>
    <name>GamesCard</name>
    <message>
        <source>Kept for games</source>
        <translation>Für Spiele behalten</translation>
    </message>
    <message>
        <source>Not set: {reason}</source>
        <translation>Nicht gesetzt: {reason}</translation>
    </message>
    <message>
        <source>On now, while it runs: {settings}</source>
        <translation>Jetzt gesetzt, solange es läuft: {settings}</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove what is kept for {game}</source>
        <translation>Entfernen, was für {game} behalten ist</translation>
    </message>
    <message>
        <source>Set when it runs: {settings}</source>
        <translation>Wird gesetzt, wenn es läuft: {settings}</translation>
    </message>
    <message>
        <source>Taken back; set again at its next start: {settings}</source>
        <translation>Zurückgenommen; beim nächsten Start wieder gesetzt: {settings}</translation>
    </message>
    <message>
        <source>{state}. {settings}</source>
        <translation>{state}. {settings}</translation>
    </message>
</context>
<context>
    <name>Gaps</name>
    <message>
        <source>No data {start}–{end} ({why})</source>
        <translation>Keine Daten {start}–{end} ({why})</translation>
    </message>
    <message>
        <source>computer slept</source>
        <translation>Rechner schlief</translation>
    </message>
    <message>
        <source>no data {length}</source>
        <translation>keine Daten {length}</translation>
    </message>
    <message>
        <source>nothing was scheduled</source>
        <translation>nichts kam an die Reihe</translation>
    </message>
    <message>
        <source>slept {length}</source>
        <translation>schlief {length}</translation>
    </message>
</context>
<context>
    <name>GraphCard</name>
    <message>
        <source>Back to now</source>
        <translation>Zurück zu jetzt</translation>
    </message>
    <message>
        <source>Closer</source>
        <translation>Näher</translation>
    </message>
    <message>
        <source>Farther</source>
        <translation>Weiter weg</translation>
    </message>
    <message>
        <source>The cause of the chosen stutter</source>
        <translation>Die Ursache des gewählten Rucklers</translation>
    </message>
    <message>
        <source>The oldest measurement</source>
        <translation>Die älteste Messung</translation>
    </message>
    <message>
        <source>The stutter after</source>
        <translation>Der Ruckler danach</translation>
    </message>
    <message>
        <source>The stutter before</source>
        <translation>Der Ruckler davor</translation>
    </message>
</context>
<context>
    <name>GraphPanel</name>
    <message>
        <source>At {time}</source>
        <translation>Bei {time}</translation>
    </message>
    <message>
        <source>At {time}: {values}</source>
        <translation>Bei {time}: {values}</translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation>Verteilung</translation>
    </message>
    <message>
        <source>Frames longer than {length}:</source>
        <translation>Bilder, die länger als {length} dauerten:</translation>
    </message>
    <message>
        <source>How many frames are longer</source>
        <translation>Wie viele Bilder länger sind</translation>
    </message>
    <message>
        <source>How many wake-ups are later</source>
        <translation>Wie viele Male das Aufwachen später ist</translation>
    </message>
    <message>
        <source>Later than {length}: {share} of the wake-ups</source>
        <translation>Später als {length}: {share} der Male</translation>
    </message>
    <message>
        <source>Latest wake-up in each second</source>
        <translation>Spätestes Aufwachen in jeder Sekunde</translation>
    </message>
    <message>
        <source>Longer than {length}: {share} of the frames</source>
        <translation>Länger als {length}: {share} der Bilder</translation>
    </message>
    <message>
        <source>Longest frame in each second</source>
        <translation>Längstes Bild in jeder Sekunde</translation>
    </message>
    <message>
        <source>Over time</source>
        <translation>Zeitverlauf</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>Übereinander</translation>
    </message>
    <message>
        <source>Point at the graph to read how many took longer than the time below</source>
        <translation>Auf das Diagramm zeigen, um zu lesen, wie viele länger als die Zeit darunter dauerten</translation>
    </message>
    <message>
        <source>Point at the graph to read values</source>
        <translation>Auf das Diagramm zeigen, um Werte zu lesen</translation>
    </message>
    <message>
        <source>Shaded: the phases of {badge}</source>
        <translation>Schattiert: die Phasen von {badge}</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>Nebeneinander</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Wake-ups later than {length}:</source>
        <translation>Male, die später als {length} waren:</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
</context>
<context>
    <name>GroupSigns</name>
    <message>
        <source>{group}: {state}</source>
        <translation>{group}: {state}</translation>
    </message>
</context>
<context>
    <name>Guide</name>
    <message>
        <source>Can be read.</source>
        <translation>Kann gelesen werden.</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>Auswählen</translation>
    </message>
    <message>
        <source>Close {programs} while you play</source>
        <translation>{programs} beim Spielen schließen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Continue the guide</source>
        <translation>Assistent fortsetzen</translation>
    </message>
    <message>
        <source>Frame times</source>
        <translation>Bildzeiten (Frametimes)</translation>
    </message>
    <message>
        <source>From the system&apos;s own counts, and a probe of ours.</source>
        <translation>Aus den Zählern des Systems und von einer eigenen Messung.</translation>
    </message>
    <message>
        <source>From the system&apos;s own counts. {why}</source>
        <translation>Aus den Zählern des Systems. {why}</translation>
    </message>
    <message>
        <source>Graphics card</source>
        <translation>Grafikkarte</translation>
    </message>
    <message>
        <source>Helper for changing settings</source>
        <translation>Hilfsdienst zum Ändern von Einstellungen</translation>
    </message>
    <message>
        <source>How quickly the drives answer</source>
        <translation>Wie schnell die Laufwerke antworten</translation>
    </message>
    <message>
        <source>I did that: record again and compare</source>
        <translation>Erledigt: erneut aufnehmen</translation>
    </message>
    <message>
        <source>Installed. It asks for a password when something is changed.</source>
        <translation>Installiert. Er fragt nach einem Passwort, wenn etwas geändert wird.</translation>
    </message>
    <message>
        <source>It is being asked.</source>
        <translation>Er wird gerade gefragt.</translation>
    </message>
    <message>
        <source>Less detail in the game, or a limit for its frame rate</source>
        <translation>Weniger Details im Spiel, oder eine Grenze für die Bildrate</translation>
    </message>
    <message>
        <source>Measuring begins…</source>
        <translation>Die Messung beginnt…</translation>
    </message>
    <message>
        <source>Memory, and how quickly the computer reacts</source>
        <translation>Speicher, und wie schnell der Rechner reagiert</translation>
    </message>
    <message>
        <source>New here? The guide finds out why a game stutters, in five steps</source>
        <translation>Neu hier? Der Assistent findet in fünf Schritten heraus, warum ein Spiel ruckelt</translation>
    </message>
    <message>
        <source>No game reports them yet. Until one does, stutters are found by how late the computer reacts.</source>
        <translation>Noch meldet sie kein Spiel. Bis dahin werden Ruckler daran erkannt, wie spät der Rechner reagiert.</translation>
    </message>
    <message>
        <source>Not available. Without it everything is measured all the same.</source>
        <translation>Nicht verfügbar. Gemessen wird auch ohne ihn alles.</translation>
    </message>
    <message>
        <source>Not offered by this computer; causes that need it are skipped.</source>
        <translation>Dieser Rechner bietet das nicht; Ursachen, die es brauchen, werden ausgelassen.</translation>
    </message>
    <message>
        <source>Open the guide</source>
        <translation>Assistenten öffnen</translation>
    </message>
    <message>
        <source>Power and temperature</source>
        <translation>Leistung und Temperatur</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>Aufnehmen</translation>
    </message>
    <message>
        <source>Reported by {tool}.</source>
        <translation>Gemeldet von {tool}.</translation>
    </message>
    <message>
        <source>Something to change in the game itself</source>
        <translation>Etwas im Spiel selbst ändern</translation>
    </message>
    <message>
        <source>Something you can do yourself</source>
        <translation>Etwas, das Sie selbst tun können</translation>
    </message>
    <message>
        <source>The guide waits at step {number} of {count}: {name}</source>
        <translation>Der Assistent wartet bei Schritt {number} von {count}: {name}</translation>
    </message>
    <message>
        <source>Told by the system.</source>
        <translation>Vom System angegeben.</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>Willkommen</translation>
    </message>
    <message>
        <source>What programs wait for</source>
        <translation>Worauf Programme warten</translation>
    </message>
    <message>
        <source>{names} and more</source>
        <translation>{names} und mehr</translation>
    </message>
</context>
<context>
    <name>GuidePage</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Leave the guide</source>
        <translation>Assistenten verlassen</translation>
    </message>
    <message>
        <source>The guide will not remember this step</source>
        <translation>Der Assistent merkt sich diesen Schritt nicht</translation>
    </message>
    <message>
        <source>The recording ended by itself</source>
        <translation>Die Aufnahme hat von selbst geendet</translation>
    </message>
</context>
<context>
    <name>Gutter</name>
    <message>
        <source>+{count} more</source>
        <translation>+{count} mehr</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source>About Destutter</source>
        <translation>Über Destutter</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version {version} or later. It comes without any warranty, and asks nothing from the internet.</source>
        <translation>Freie Software unter der GNU General Public License, Version {version} oder neuer. Sie kommt ohne jede Gewähr und fragt nichts aus dem Internet.</translation>
    </message>
    <message>
        <source>To report something, pack what the kernel tells of this computer into a file, without the names of other programs, and attach it to your report:</source>
        <translation>Um etwas zu melden, packen Sie in eine Datei, was der Kernel von diesem Rechner sagt, ohne die Namen anderer Programme, und hängen Sie sie an:</translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation>Version {version}</translation>
    </message>
</context>
<context>
    <name>HelpInWindow</name>
    <message>
        <source>About Destutter</source>
        <translation>Über Destutter</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>Überall</translation>
    </message>
    <message>
        <source>Explain this page</source>
        <translation>Diese Seite erklären</translation>
    </message>
    <message>
        <source>List of shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>On this page</source>
        <translation>Auf dieser Seite</translation>
    </message>
    <message>
        <source>Show the strip</source>
        <translation>Leiste zeigen</translation>
    </message>
</context>
<context>
    <name>HelperView</name>
    <message>
        <source>Bring the helper up to date</source>
        <translation>Hilfsdienst auf den neuesten Stand bringen</translation>
    </message>
    <message>
        <source>Not removed: {reason}</source>
        <translation>Nicht entfernt: {reason}</translation>
    </message>
    <message>
        <source>Not set up: {reason}</source>
        <translation>Nicht eingerichtet: {reason}</translation>
    </message>
    <message>
        <source>Remove the helper</source>
        <translation>Hilfsdienst entfernen</translation>
    </message>
    <message>
        <source>SHA-256 of what is installed:</source>
        <translation>SHA-256 dessen, was installiert wird:</translation>
    </message>
    <message>
        <source>Set up the helper</source>
        <translation>Hilfsdienst einrichten</translation>
    </message>
    <message>
        <source>The helper is removed. Every change of it was taken back first. Your recordings and what you chose stay in ~/.local/share/destutter and ~/.config/destutter.</source>
        <translation>Der Hilfsdienst ist entfernt. Jede seiner Änderungen wurde vorher zurückgenommen. Ihre Aufnahmen und Einstellungen bleiben in ~/.local/share/destutter und ~/.config/destutter.</translation>
    </message>
    <message>
        <source>The helper is set up. A button of Settings takes it away again.</source>
        <translation>Der Hilfsdienst ist eingerichtet. Ein Knopf der Einstellungen entfernt ihn wieder.</translation>
    </message>
    <message>
        <source>Waiting for the password, then installing… The window that asks for it names /bin/sh, which installs it.</source>
        <translation>Warten auf das Passwort, dann wird eingerichtet … Das Fenster, das danach fragt, nennt /bin/sh, das einrichtet.</translation>
    </message>
    <message>
        <source>Waiting for the password, then taking back and removing… The window that asks for it names /bin/sh, which removes it.</source>
        <translation>Warten auf das Passwort, dann wird zurückgenommen und entfernt … Das Fenster, das danach fragt, nennt /bin/sh, das entfernt.</translation>
    </message>
</context>
<context>
    <name>History</name>
    <message>
        <source>device not there any more</source>
        <translation>Gerät nicht mehr vorhanden</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>behalten</translation>
    </message>
    <message>
        <source>left alone: changed by something else</source>
        <translation>belassen: von anderer Seite geändert</translation>
    </message>
    <message>
        <source>left as it was found</source>
        <translation>belassen, wie es vorgefunden wurde</translation>
    </message>
    <message>
        <source>on trial</source>
        <translation>auf Probe</translation>
    </message>
    <message>
        <source>refused by the kernel</source>
        <translation>vom Kernel abgelehnt</translation>
    </message>
    <message>
        <source>set at the start</source>
        <translation>beim Start gesetzt</translation>
    </message>
    <message>
        <source>set for a game</source>
        <translation>für ein Spiel gesetzt</translation>
    </message>
    <message>
        <source>taken back after a crash</source>
        <translation>nach einem Absturz zurückgenommen</translation>
    </message>
    <message>
        <source>taken back after a game</source>
        <translation>nach einem Spiel zurückgenommen</translation>
    </message>
    <message>
        <source>taken back: not all could be set</source>
        <translation>zurückgenommen: nicht alle ließen sich setzen</translation>
    </message>
    <message>
        <source>trial ended by a shutdown</source>
        <translation>Probe durch Herunterfahren beendet</translation>
    </message>
    <message>
        <source>trial ended by its time</source>
        <translation>Probe nach Ablauf der Zeit beendet</translation>
    </message>
    <message>
        <source>trial ended with the game</source>
        <translation>Probe mit dem Spiel beendet</translation>
    </message>
    <message>
        <source>trial ended: its program let go</source>
        <translation>Probe beendet: ihr Programm ließ sie los</translation>
    </message>
    <message>
        <source>trial ended: its program was gone</source>
        <translation>Probe beendet: ihr Programm war weg</translation>
    </message>
    <message>
        <source>trial taken back</source>
        <translation>Probe zurückgenommen</translation>
    </message>
    <message>
        <source>undone</source>
        <translation>rückgängig gemacht</translation>
    </message>
</context>
<context>
    <name>HistoryCard</name>
    <message>
        <source>Hide the list</source>
        <translation>Liste ausblenden</translation>
    </message>
    <message>
        <source>History of changes</source>
        <translation>Verlauf der Änderungen</translation>
    </message>
    <message numerus="yes">
        <source>History: %n change(s) since {date}.</source>
        <translation>
            <numerusform>Verlauf: %n Änderung seit {date}.</numerusform>
            <numerusform>Verlauf: %n Änderungen seit {date}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>History: %n change(s).</source>
        <translation>
            <numerusform>Verlauf: %n Änderung.</numerusform>
            <numerusform>Verlauf: %n Änderungen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>Show the list</source>
        <translation>Liste zeigen</translation>
    </message>
    <message>
        <source>The helper keeps a log in /var/lib/destutter that only root can write.</source>
        <translation>Der Hilfsdienst führt in /var/lib/destutter ein Protokoll, das nur root schreiben kann.</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>{before} → {after}</source>
        <translation>{before} → {after}</translation>
    </message>
    <message>
        <source>{count} {place}</source>
        <translation>{count} {place}</translation>
    </message>
</context>
<context>
    <name>InsideView</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>For {time} at most the kernel records what stops the threads of the game. It takes a password.</source>
        <translation>Höchstens {time} lang zeichnet der Kernel auf, was die Threads des Spiels anhält. Nötig ist ein Passwort.</translation>
    </message>
    <message>
        <source>Only threads of a game are looked into, and no game runs.</source>
        <translation>Nur Threads eines Spiels werden untersucht, und es läuft kein Spiel.</translation>
    </message>
    <message>
        <source>Record for one minute</source>
        <translation>Eine Minute aufzeichnen</translation>
    </message>
    <message>
        <source>Recording; it ends by itself in {time} at the latest.</source>
        <translation>Zeichnet auf; endet von selbst spätestens in {time}.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>These are files of another computer: its kernel cannot be asked.</source>
        <translation>Dies sind Dateien eines anderen Rechners: Sein Kernel lässt sich nicht fragen.</translation>
    </message>
    <message>
        <source>This was recorded. It ended, and nothing is recorded any more.</source>
        <translation>Dies wurde aufgezeichnet. Es ist beendet, und nichts wird mehr aufgezeichnet.</translation>
    </message>
    <message>
        <source>Waiting for your password…</source>
        <translation>Warten auf das Passwort…</translation>
    </message>
    <message>
        <source>What the kernel told while this was recorded, if an expert asked.</source>
        <translation>Was der Kernel sagte, während dies aufgezeichnet wurde, falls ein Experte danach fragte.</translation>
    </message>
</context>
<context>
    <name>Keys</name>
    <message>
        <source>Go to the page with this number</source>
        <translation>Zur Seite mit dieser Nummer</translation>
    </message>
    <message>
        <source>Mark this moment in the recording</source>
        <translation>Diesen Moment in der Aufnahme markieren</translation>
    </message>
    <message>
        <source>Quit Destutter</source>
        <translation>Destutter beenden</translation>
    </message>
    <message>
        <source>Record, or stop</source>
        <translation>Aufnehmen oder anhalten</translation>
    </message>
</context>
<context>
    <name>KeysRow</name>
    <message>
        <source>Keys while you play</source>
        <translation>Tasten, während Sie spielen</translation>
    </message>
    <message>
        <source>Mark: {mark}. Record or stop: {record}. A game that takes the keyboard for itself gets them instead.</source>
        <translation>Markieren: {mark}. Aufnehmen oder anhalten: {record}. Ein Spiel, das die Tastatur für sich nimmt, bekommt sie stattdessen.</translation>
    </message>
    <message>
        <source>The desktop asks which keys.</source>
        <translation>Der Desktop fragt, welche Tasten.</translation>
    </message>
    <message>
        <source>The desktop did not grant any. Tick again to ask again.</source>
        <translation>Der Desktop hat keine gewährt. Noch einmal anhaken fragt wieder.</translation>
    </message>
    <message>
        <source>This desktop passes no keys on to programs. In its keyboard settings, bind keys to the commands “{mark}” and “{record}”. {keys} work while this window has the keyboard.</source>
        <translation>Dieser Desktop gibt Programmen keine Tasten weiter. Legen Sie in seinen Tastatureinstellungen Tasten auf die Befehle „{mark}“ und „{record}“. {keys} wirken, während dieses Fenster die Tastatur hat.</translation>
    </message>
    <message>
        <source>To mark a moment and to record. The desktop asks which keys.</source>
        <translation>Zum Markieren und Aufnehmen. Der Desktop fragt, welche Tasten.</translation>
    </message>
    <message>
        <source>no key; choose one in the desktop&apos;s settings</source>
        <translation>keine Taste; in den Einstellungen des Desktops wählen</translation>
    </message>
</context>
<context>
    <name>LaneRow</name>
    <message>
        <source>not available</source>
        <translation>nicht verfügbar</translation>
    </message>
    <message>
        <source>{lane} graph</source>
        <translation>Diagramm: {lane}</translation>
    </message>
</context>
<context>
    <name>Lanes</name>
    <message>
        <source>A small program asks to be woken at exact times. As late as it wakes, a game may wake, too.</source>
        <translation>Ein kleines Programm lässt sich zu genauen Zeitpunkten wecken. So spät, wie es aufwacht, kann auch ein Spiel aufwachen.</translation>
    </message>
    <message>
        <source>Background reclaim</source>
        <translation>Freigabe im Hintergrund</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>CPU wake-up delay</source>
        <translation>CPU-Aufwachverzögerung</translation>
    </message>
    <message>
        <source>Drive delay</source>
        <translation>Laufwerk-Verzögerung</translation>
    </message>
    <message>
        <source>Drive queue</source>
        <translation>Warteschlange der Laufwerke</translation>
    </message>
    <message>
        <source>Drive throughput</source>
        <translation>Durchsatz der Laufwerke</translation>
    </message>
    <message>
        <source>Drive {drive}</source>
        <translation>Laufwerk {drive}</translation>
    </message>
    <message>
        <source>FPS / 1 % low</source>
        <translation>FPS / 1 % low</translation>
    </message>
    <message>
        <source>For how much of each second threads of the game could have worked and had no core.</source>
        <translation>Wie viel von jeder Sekunde Threads des Spiels hätten arbeiten können und keinen Kern hatten.</translation>
    </message>
    <message>
        <source>Frame time</source>
        <translation>Bildzeit</translation>
    </message>
    <message>
        <source>Frame times need MangoHud or X-Plane.</source>
        <translation>Bildzeiten brauchen MangoHud oder X-Plane.</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Graphics card load</source>
        <translation>Last der Grafikkarte</translation>
    </message>
    <message>
        <source>How busy each graphics card is. A card that is always busy sets the frame rate; with one that often rests something else does.</source>
        <translation>Wie beschäftigt jede Grafikkarte ist. Eine Karte, die immer beschäftigt ist, bestimmt die Bildrate; bei einer, die oft ruht, tut es etwas anderes.</translation>
    </message>
    <message>
        <source>How busy the cores are. One core that has everything to do holds up a game while the average is low; time that the host takes is missing in a virtual machine.</source>
        <translation>Wie beschäftigt die Kerne sind. Ein einzelner Kern, der alles zu tun hat, hält ein Spiel auf, auch wenn der Durchschnitt niedrig ist; die Zeit, die der Wirt nimmt, fehlt in einer virtuellen Maschine.</translation>
    </message>
    <message>
        <source>How long a drive took from a request to its answer, on average in each tenth of a second (I/O latency).</source>
        <translation>Wie lange ein Laufwerk von der Anfrage bis zur Antwort brauchte, im Mittel jeder Zehntelsekunde (E/A-Latenz).</translation>
    </message>
    <message>
        <source>How long each picture of the game took. One long frame among short ones is a stutter. The GPU limits them where it is at work {card} of the time and more, the CPU where a thread of the game is for {thread}.</source>
        <translation>Wie lange jedes Bild des Spiels gebraucht hat. Ein langes Bild unter kurzen ist ein Ruckler. Die GPU begrenzt sie, wo sie {card} der Zeit und mehr arbeitet, die CPU, wo ein Thread des Spiels {thread} der Zeit rechnet.</translation>
    </message>
    <message>
        <source>How long this drive took from a request to its answer. A flush is over when everything written before is safe.</source>
        <translation>Wie lange dieses Laufwerk von der Anfrage bis zur Antwort brauchte. Ein Flush ist zu Ende, wenn alles zuvor Geschriebene sicher ist.</translation>
    </message>
    <message>
        <source>How many requests waited at the same time, at the drive with the most.</source>
        <translation>Wie viele Anfragen zugleich warteten, bei dem Laufwerk mit den meisten.</translation>
    </message>
    <message>
        <source>How often devices interrupted the cores, and how often a core changed tasks.</source>
        <translation>Wie oft Geräte die Kerne unterbrachen und wie oft ein Kern die Aufgabe wechselte.</translation>
    </message>
    <message>
        <source>How often the kernel worked on network packets, how often it had to put the rest off, and how many packets it dropped because a queue was full.</source>
        <translation>Wie oft der Kernel Netzwerkpakete bearbeitete, wie oft er den Rest aufschieben musste und wie viele Pakete er verwarf, weil eine Warteschlange voll war.</translation>
    </message>
    <message>
        <source>Interrupts</source>
        <translation>Interrupts</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Arbeitsspeicher</translation>
    </message>
    <message>
        <source>Memory of the graphics card in use. What does not fit lies in the computer&apos;s memory, which is much slower.</source>
        <translation>Belegter Speicher der Grafikkarte. Was nicht hineinpasst, liegt im Arbeitsspeicher, der viel langsamer ist.</translation>
    </message>
    <message>
        <source>Memory that programs had to free themselves before they got any (the kernel&apos;s direct reclaim). A page is the kernel&apos;s unit of memory.</source>
        <translation>Arbeitsspeicher, den Programme selbst freigeben mussten, bevor sie welchen bekamen (Direct Reclaim des Kernels). Eine Seite ist die Einheit, in der der Kernel Speicher vergibt.</translation>
    </message>
    <message>
        <source>Network queues</source>
        <translation>Netzwerk-Warteschlangen</translation>
    </message>
    <message>
        <source>Nothing has been measured yet.</source>
        <translation>Noch nichts gemessen.</translation>
    </message>
    <message>
        <source>Pages of memory that went to swap and came back, and how often a program had to wait until a page was read.</source>
        <translation>Speicherseiten, die ausgelagert und zurückgelesen wurden, und wie oft ein Programm warten musste, bis eine Seite gelesen war.</translation>
    </message>
    <message>
        <source>Pages that the kernel freed ahead of time, and pages of files that were freed and needed again.</source>
        <translation>Seiten, die der Kernel vorausschauend freigab, und Seiten von Dateien, die freigegeben waren und wieder gebraucht wurden.</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>Processor clock</source>
        <translation>Prozessortakt</translation>
    </message>
    <message>
        <source>Processor load</source>
        <translation>Prozessorlast</translation>
    </message>
    <message>
        <source>Set up frame times…</source>
        <translation>Bildzeiten einrichten…</translation>
    </message>
    <message>
        <source>Share of the time in which at least one program waited for memory, for a drive or for a core (the kernel&apos;s pressure stall information, PSI).</source>
        <translation>Anteil der Zeit, in der mindestens ein Programm auf Arbeitsspeicher, ein Laufwerk oder einen Kern gewartet hat (Pressure Stall Information des Kernels, PSI).</translation>
    </message>
    <message>
        <source>Swapping</source>
        <translation>Auslagerung (Swap)</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>The clock of the fastest and of the slowest core. It falls when there is little to do, and when the processor gets too hot.</source>
        <translation>Der Takt des schnellsten und des langsamsten Kerns. Er fällt, wenn wenig zu tun ist und wenn der Prozessor zu heiß wird.</translation>
    </message>
    <message>
        <source>The hottest sensor of the computer, and of graphics cards.</source>
        <translation>Der heißeste Sensor des Rechners und der von Grafikkarten.</translation>
    </message>
    <message>
        <source>The log leaves out most frames.</source>
        <translation>Das Protokoll lässt die meisten Bilder aus.</translation>
    </message>
    <message>
        <source>The longest wait of any thread of the game in each quarter of a second, by what it waited for. The kernel tells each of them itself; waits below {limit} are left out.</source>
        <translation>Die längste Wartezeit irgendeines Threads des Spiels in jeder Viertelsekunde, danach, worauf er wartete. Der Kernel meldet jede davon selbst; unter {limit} wird keine gemeldet.</translation>
    </message>
    <message>
        <source>Time spent waiting</source>
        <translation>Wartezeit</translation>
    </message>
    <message>
        <source>Unwritten data</source>
        <translation>Ungeschriebene Daten</translation>
    </message>
    <message>
        <source>Video memory</source>
        <translation>Grafikspeicher</translation>
    </message>
    <message>
        <source>Wait for a core</source>
        <translation>Warten auf einen Kern</translation>
    </message>
    <message>
        <source>Waiting for free memory</source>
        <translation>Warten auf Speicher</translation>
    </message>
    <message>
        <source>Waits of the game</source>
        <translation>Wartezeiten des Spiels</translation>
    </message>
    <message>
        <source>What programs could still get, what the cache of files holds, and what lies in swap.</source>
        <translation>Was Programme noch bekommen könnten, was der Dateicache hält und was ausgelagert ist.</translation>
    </message>
    <message>
        <source>What the busiest drive read and wrote.</source>
        <translation>Was das am stärksten beschäftigte Laufwerk las und schrieb.</translation>
    </message>
    <message>
        <source>What the computer&apos;s sensors tell of its power, and graphics cards of theirs.</source>
        <translation>Was die Sensoren des Rechners über seine Leistungsaufnahme sagen und Grafikkarten über ihre.</translation>
    </message>
    <message>
        <source>Writing starts at {size}.</source>
        <translation>Das Schreiben beginnt bei {size}.</translation>
    </message>
    <message>
        <source>Written data that is still in memory only (the kernel&apos;s dirty pages). When there is too much of it, programs that write have to wait.</source>
        <translation>Geschriebene Daten, die bisher nur im Arbeitsspeicher stehen (Dirty Pages des Kernels). Werden es zu viele, müssen Programme beim Schreiben warten.</translation>
    </message>
    <message>
        <source>a core</source>
        <translation>einen Kern</translation>
    </message>
    <message>
        <source>a drive</source>
        <translation>ein Laufwerk</translation>
    </message>
    <message>
        <source>all cores</source>
        <translation>alle Kerne</translation>
    </message>
    <message>
        <source>any busy thread</source>
        <translation>ein Arbeitsthread</translation>
    </message>
    <message>
        <source>available</source>
        <translation>verfügbar</translation>
    </message>
    <message>
        <source>background writing starts</source>
        <translation>Schreiben im Hintergrund beginnt</translation>
    </message>
    <message>
        <source>being written</source>
        <translation>wird geschrieben</translation>
    </message>
    <message>
        <source>below {limit}</source>
        <translation>unter {limit}</translation>
    </message>
    <message>
        <source>busiest core</source>
        <translation>höchste Kernlast</translation>
    </message>
    <message>
        <source>dropped</source>
        <translation>verworfen</translation>
    </message>
    <message>
        <source>fastest core</source>
        <translation>schnellster Kern</translation>
    </message>
    <message>
        <source>flushes</source>
        <translation>Flush</translation>
    </message>
    <message>
        <source>freed pages</source>
        <translation>freigegeben</translation>
    </message>
    <message>
        <source>game</source>
        <translation>Spiel</translation>
    </message>
    <message>
        <source>graphics card</source>
        <translation>Grafikkarte</translation>
    </message>
    <message>
        <source>hottest sensor</source>
        <translation>heißester Sensor</translation>
    </message>
    <message>
        <source>in swap</source>
        <translation>ausgelagert</translation>
    </message>
    <message>
        <source>in the computer&apos;s memory</source>
        <translation>im Arbeitsspeicher</translation>
    </message>
    <message>
        <source>interrupts</source>
        <translation>Interrupts</translation>
    </message>
    <message>
        <source>largest sensor</source>
        <translation>größter Sensor</translation>
    </message>
    <message>
        <source>limited by</source>
        <translation>begrenzt von</translation>
    </message>
    <message>
        <source>longest delay</source>
        <translation>Verspätung</translation>
    </message>
    <message>
        <source>longest queue</source>
        <translation>die längste</translation>
    </message>
    <message>
        <source>main thread</source>
        <translation>Hauptthread</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>needed again</source>
        <translation>wieder gebraucht</translation>
    </message>
    <message>
        <source>neither</source>
        <translation>weder noch</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>page cache</source>
        <translation>Dateicache</translation>
    </message>
    <message>
        <source>pages per second</source>
        <translation>Seiten/s</translation>
    </message>
    <message>
        <source>put off</source>
        <translation>aufgeschoben</translation>
    </message>
    <message>
        <source>read</source>
        <translation>gelesen</translation>
    </message>
    <message>
        <source>read back</source>
        <translation>zurückgelesen</translation>
    </message>
    <message>
        <source>reads</source>
        <translation>Lesen</translation>
    </message>
    <message>
        <source>rounds of work</source>
        <translation>Durchgänge</translation>
    </message>
    <message>
        <source>size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>slowest core</source>
        <translation>langsamster Kern</translation>
    </message>
    <message>
        <source>stutter</source>
        <translation>Ruckler</translation>
    </message>
    <message>
        <source>taken by the host</source>
        <translation>vom Wirt genommen</translation>
    </message>
    <message>
        <source>task changes</source>
        <translation>Aufgabenwechsel</translation>
    </message>
    <message>
        <source>waiting for disk</source>
        <translation>ungeschrieben</translation>
    </message>
    <message>
        <source>waits for pages</source>
        <translation>Warten auf Seiten</translation>
    </message>
    <message>
        <source>waits per second</source>
        <translation>Wartefälle/s</translation>
    </message>
    <message>
        <source>writes</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>written</source>
        <translation>geschrieben</translation>
    </message>
    <message>
        <source>written out</source>
        <translation>ausgelagert</translation>
    </message>
    <message>
        <source>{disk} read</source>
        <translation>{disk} Lesen</translation>
    </message>
    <message>
        <source>{disk} write</source>
        <translation>{disk} Schreiben</translation>
    </message>
    <message>
        <source>{limit} — a read this slow can hold up a frame</source>
        <translation>{limit} – so langsames Lesen kann ein Bild aufhalten</translation>
    </message>
    <message>
        <source>{limit} — longer is felt as a stutter</source>
        <translation>{limit} – länger ist als Ruckler zu spüren</translation>
    </message>
    <message>
        <source>{limit} — longer than a refresh: a frame is missed</source>
        <translation>{limit} – länger als ein Bildwechsel: ein Bild fällt aus</translation>
    </message>
    <message>
        <source>{limit} — three refreshes long: felt as a stutter</source>
        <translation>{limit} – drei Bildwechsel lang: als Ruckler zu spüren</translation>
    </message>
    <message>
        <source>{limit} — {times} usual frames: felt as a stutter</source>
        <translation>{limit} – {times} übliche Bilder: als Ruckler zu spüren</translation>
    </message>
    <message>
        <source>“Low” is the mean rate of the slowest hundredth of them.</source>
        <translation>„Low“ ist die mittlere Rate des langsamsten Hundertstels davon.</translation>
    </message>
</context>
<context>
    <name>LanesView</name>
    <message>
        <source>Back to the usual lanes</source>
        <translation>Zurück zu den üblichen Diagrammen</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Move down ({keys})</source>
        <translation>Nach unten verschieben ({keys})</translation>
    </message>
    <message>
        <source>Move up ({keys})</source>
        <translation>Nach oben verschieben ({keys})</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>The last one stays: something has to be shown.</source>
        <translation>Das letzte bleibt: Etwas muss zu sehen sein.</translation>
    </message>
    <message>
        <source>Tick what is shown. Drag, or Alt with an arrow, to order.</source>
        <translation>Häkchen: was zu sehen ist. Reihenfolge: ziehen, oder Alt mit einem Pfeil.</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>Nach oben</translation>
    </message>
</context>
<context>
    <name>Language</name>
    <message>
        <source>en</source>
        <comment>the name of this file: de, zh_CN</comment>
        <translation>de</translation>
    </message>
</context>
<context>
    <name>LeftAlone</name>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Details of {setting}</source>
        <translation>Einzelheiten: {setting}</translation>
    </message>
    <message>
        <source>Set by something else — left alone</source>
        <translation>Von anderer Seite gesetzt – belassen</translation>
    </message>
    <message numerus="yes">
        <source>Show %n more</source>
        <translation>
            <numerusform>%n weitere zeigen</numerusform>
            <numerusform>%n weitere zeigen</numerusform>
        </translation>
    </message>
    <message>
        <source>from {file}</source>
        <translation>aus {file}</translation>
    </message>
    <message>
        <source>set since the start by somebody or some program</source>
        <translation>seit dem Start von jemandem oder einem Programm gesetzt</translation>
    </message>
    <message>
        <source>{origin}; the next start brings {value}, by {file}</source>
        <translation>{origin}; der nächste Start bringt {value}, durch {file}</translation>
    </message>
</context>
<context>
    <name>LeftRow</name>
    <message>
        <source>What still makes it stutter</source>
        <translation>Was es noch ruckeln lässt</translation>
    </message>
</context>
<context>
    <name>LiveHeader</name>
    <message>
        <source>Choose a program…</source>
        <translation>Programm auswählen…</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>Mark this moment</source>
        <translation>Moment markieren</translation>
    </message>
    <message>
        <source>Mark this moment in the recording ({keys})</source>
        <translation>Diesen Moment in der Aufnahme markieren ({keys})</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Record session</source>
        <translation>Sitzung aufnehmen</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Stop  {time}</source>
        <translation>Stopp  {time}</translation>
    </message>
    <message>
        <source>Stop the recording</source>
        <translation>Aufnahme stoppen</translation>
    </message>
    <message>
        <source>The graphs stand still; measuring goes on (Space)</source>
        <translation>Die Diagramme stehen still; die Messung läuft weiter (Leertaste)</translation>
    </message>
    <message>
        <source>Time in view</source>
        <translation>Gezeigte Zeit</translation>
    </message>
    <message>
        <source>Watch the whole computer</source>
        <translation>Ganzen Rechner beobachten</translation>
    </message>
    <message>
        <source>Watched: {name}</source>
        <translation>Beobachtet: {name}</translation>
    </message>
    <message>
        <source>Whole computer</source>
        <translation>Ganzer Rechner</translation>
    </message>
    <message>
        <source>running {time}</source>
        <translation>seit {time}</translation>
    </message>
</context>
<context>
    <name>LiveLanes</name>
    <message>
        <source>Lanes</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Not measured here so far.</source>
        <translation>Hier bisher nicht gemessen.</translation>
    </message>
    <message>
        <source>This drive was not used so far, or is not there.</source>
        <translation>Dieses Laufwerk wurde bisher nicht benutzt oder ist nicht da.</translation>
    </message>
</context>
<context>
    <name>LivePage</name>
    <message>
        <source>Choose a program…</source>
        <translation>Programm auswählen…</translation>
    </message>
    <message>
        <source>Last {span}, updated {count} times a second</source>
        <translation>Die letzten {span}, {count}-mal pro Sekunde erneuert</translation>
    </message>
    <message>
        <source>Let the graphs stand still, or go on</source>
        <translation>Kurven anhalten oder weiterlaufen lassen</translation>
    </message>
    <message>
        <source>Nothing is measured any more</source>
        <translation>Es wird nichts mehr gemessen</translation>
    </message>
    <message>
        <source>Recording {name}</source>
        <translation>Aufnahme {name}</translation>
    </message>
    <message>
        <source>Start a game and Destutter will notice it. Or watch the whole computer now: memory, disk and CPU delays are measured either way.</source>
        <translation>Ein Spiel starten, und Destutter bemerkt es. Oder gleich den ganzen Rechner beobachten: Verzögerungen von Speicher, Laufwerk und CPU werden so oder so gemessen.</translation>
    </message>
    <message>
        <source>The graphs stand still; measuring goes on</source>
        <translation>Die Diagramme stehen still; die Messung läuft weiter</translation>
    </message>
    <message>
        <source>The whole computer; the Flatpak&apos;s sandbox hides games</source>
        <translation>Der ganze Rechner; die Sandbox des Flatpaks verbirgt Spiele</translation>
    </message>
    <message>
        <source>Watch the whole computer</source>
        <translation>Ganzen Rechner beobachten</translation>
    </message>
    <message>
        <source>What is not measured</source>
        <translation>Was nicht gemessen wird</translation>
    </message>
    <message>
        <source>{count} more</source>
        <translation>{count} mehr</translation>
    </message>
    <message>
        <source>{recording}. {end}</source>
        <translation>{recording}. {end}</translation>
    </message>
</context>
<context>
    <name>LivePanels</name>
    <message>
        <source>Choose a program</source>
        <translation>Programm auswählen</translation>
    </message>
    <message>
        <source>Stutters of the last {minutes} minutes</source>
        <translation>Ruckler der letzten {minutes} Minuten</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message numerus="yes">
        <source>Causes: %n explain stutters</source>
        <translation>
            <numerusform>Ursachen: %n erklärt Ruckler</numerusform>
            <numerusform>Ursachen: %n erklären Ruckler</numerusform>
        </translation>
    </message>
    <message>
        <source>Destutter uses {share} of one core, {memory}</source>
        <translation>Destutter benötigt {share} eines Kerns, {memory}</translation>
    </message>
    <message>
        <source>Recording started</source>
        <translation>Aufnahme gestartet</translation>
    </message>
    <message>
        <source>Recording stopped</source>
        <translation>Aufnahme gestoppt</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>{program} — recording</source>
        <translation>{program} — nimmt auf</translation>
    </message>
</context>
<context>
    <name>MarkLegend</name>
    <message>
        <source>below min, programs free memory themselves and wait</source>
        <translation>unter min geben Programme selbst Speicher frei und warten</translation>
    </message>
    <message>
        <source>the background works until this much is free</source>
        <translation>der Hintergrund arbeitet, bis so viel frei ist</translation>
    </message>
    <message>
        <source>the lead: the background frees memory, nobody waits</source>
        <translation>der Vorlauf: Der Hintergrund gibt Speicher frei, niemand wartet</translation>
    </message>
    <message>
        <source>the marks of now</source>
        <translation>die jetzigen Marken</translation>
    </message>
</context>
<context>
    <name>MeasureTable</name>
    <message>
        <source>Measures</source>
        <translation>Messgrößen</translation>
    </message>
</context>
<context>
    <name>MeasuredList</name>
    <message>
        <source>In the graph</source>
        <translation>Im Diagramm</translation>
    </message>
    <message>
        <source>Show this moment on the live page</source>
        <translation>Diesen Moment auf der Seite „Live“ zeigen</translation>
    </message>
    <message>
        <source>Show {signal} in the graph</source>
        <translation>{signal} im Diagramm zeigen</translation>
    </message>
    <message>
        <source>Show {time} on the live page</source>
        <translation>{time} auf der Seite „Live“ zeigen</translation>
    </message>
    <message>
        <source>from {value}</source>
        <translation>ab {value}</translation>
    </message>
    <message>
        <source>shown above</source>
        <translation>oben gezeigt</translation>
    </message>
</context>
<context>
    <name>MenuOffer</name>
    <message>
        <source>Destutter is in your desktop&apos;s menu now; Settings takes it out again</source>
        <translation>Destutter ist jetzt im Menü Ihres Desktops; die Einstellungen nehmen es wieder heraus</translation>
    </message>
    <message>
        <source>Destutter is not in your desktop&apos;s menu yet</source>
        <translation>Destutter steht noch nicht im Menü des Desktops</translation>
    </message>
    <message>
        <source>Not in the menu: {reason}</source>
        <translation>Nicht im Menü: {reason}</translation>
    </message>
    <message>
        <source>Put it there</source>
        <translation>Dort eintragen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
</context>
<context>
    <name>Missing</name>
    <message>
        <source>Disk latency is not measured.</source>
        <translation>Die Latenz der Laufwerke wird nicht gemessen.</translation>
    </message>
    <message>
        <source>Pressure is not measured.</source>
        <translation>Druck wird nicht gemessen.</translation>
    </message>
    <message>
        <source>The kernel&apos;s memory counters are not measured.</source>
        <translation>Die Speicherzähler des Kernels werden nicht gemessen.</translation>
    </message>
    <message>
        <source>The other measurements go on. To turn it on, start the kernel with psi=1.</source>
        <translation>Die anderen Messungen laufen weiter. Zum Einschalten den Kernel mit psi=1 starten.</translation>
    </message>
    <message>
        <source>This is not measured.</source>
        <translation>Das wird nicht gemessen.</translation>
    </message>
    <message>
        <source>This kernel does not report pressure (PSI).</source>
        <translation>Dieser Kernel meldet keinen Druck (PSI).</translation>
    </message>
    <message>
        <source>Wake-up delay is not measured.</source>
        <translation>Die Aufwachverzögerung wird nicht gemessen.</translation>
    </message>
</context>
<context>
    <name>MissingRow</name>
    <message>
        <source>Show me how</source>
        <translation>Zeigen, wie</translation>
    </message>
</context>
<context>
    <name>Notes</name>
    <message>
        <source>In a virtual machine the host can also cause stutter; Destutter cannot see it.</source>
        <translation>In einer virtuellen Maschine kann auch der Wirt Ruckler verursachen; Destutter kann das nicht sehen.</translation>
    </message>
    <message>
        <source>In a virtual machine the host can also cause stutter; of that only the processor time that it takes can be seen.</source>
        <translation>In einer virtuellen Maschine kann auch der Wirt Ruckler verursachen; davon ist nur die Prozessorzeit zu sehen, die er nimmt.</translation>
    </message>
    <message>
        <source>Not measured: {what} — {reason}</source>
        <translation>Nicht gemessen: {what} – {reason}</translation>
    </message>
    <message>
        <source>Taken by the host now: {share}.</source>
        <translation>Gerade vom Wirt entzogen: {share}.</translation>
    </message>
</context>
<context>
    <name>Notification</name>
    <message>
        <source>A setting was changed by something else</source>
        <translation>Eine Einstellung wurde von anderer Seite geändert</translation>
    </message>
    <message>
        <source>Recording finished</source>
        <translation>Aufnahme fertig</translation>
    </message>
    <message>
        <source>The old values are back.</source>
        <translation>Die alten Werte gelten wieder.</translation>
    </message>
    <message>
        <source>The trial has ended</source>
        <translation>Die Probe ist zu Ende</translation>
    </message>
</context>
<context>
    <name>OfferRow</name>
    <message>
        <source>Close: {text}</source>
        <translation>Schließen: {text}</translation>
    </message>
</context>
<context>
    <name>OtherHelp</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy {word}</source>
        <translation>{word} kopieren</translation>
    </message>
</context>
<context>
    <name>Outcomes</name>
    <message>
        <source>No program asks for passwords in this session, so the right could not be given. Start your desktop&apos;s polkit agent, or copy the commands.</source>
        <translation>In dieser Sitzung fragt kein Programm nach Passwörtern, deshalb konnte das Recht nicht erteilt werden. Den Polkit-Agenten des Desktops starten oder die Befehle kopieren.</translation>
    </message>
    <message>
        <source>Not changed</source>
        <translation>Nicht geändert</translation>
    </message>
    <message>
        <source>Not changed: the helper does not answer</source>
        <translation>Nicht geändert: Der Hilfsdienst antwortet nicht</translation>
    </message>
    <message>
        <source>The helper is not installed or cannot be started.</source>
        <translation>Der Hilfsdienst ist nicht installiert oder lässt sich nicht starten.</translation>
    </message>
    <message>
        <source>The helper stopped in the middle</source>
        <translation>Der Hilfsdienst hat mittendrin aufgehört</translation>
    </message>
    <message>
        <source>The system&apos;s authorisation service (polkit) does not work, so nobody could be asked.</source>
        <translation>Der Berechtigungsdienst des Systems (polkit) funktioniert nicht, deshalb konnte niemand gefragt werden.</translation>
    </message>
    <message>
        <source>What it had begun is taken back as soon as it runs again. {reason}</source>
        <translation>Was er begonnen hatte, wird zurückgenommen, sobald er wieder läuft. {reason}</translation>
    </message>
    <message>
        <source>Your account may not change system settings. An administrator can, or copy the commands.</source>
        <translation>Dieses Konto darf keine Systemeinstellungen ändern. Ein Administrator darf es; sonst die Befehle kopieren.</translation>
    </message>
    <message>
        <source>{reason}. Nothing else was applied.</source>
        <translation>{reason}. Sonst wurde nichts angewendet.</translation>
    </message>
</context>
<context>
    <name>Pages</name>
    <message>
        <source>About the helper</source>
        <translation>Über den Hilfsdienst</translation>
    </message>
    <message>
        <source>Causes</source>
        <translation>Ursachen</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>Copy commands</source>
        <translation>Befehle kopieren</translation>
    </message>
    <message>
        <source>For a fair comparison both need {minutes} minutes of play: before, and with it.</source>
        <translation>Für einen fairen Vergleich braucht es je {minutes} Minuten Spiel: davor und damit.</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <source>Keep for every start</source>
        <translation>Für jeden Start behalten</translation>
    </message>
    <message>
        <source>Keep for this game</source>
        <translation>Für dieses Spiel behalten</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>Measuring stopped</source>
        <translation>Messung beendet</translation>
    </message>
    <message>
        <source>No game is running</source>
        <translation>Kein Spiel läuft</translation>
    </message>
    <message>
        <source>Reading the recording… {percent}</source>
        <translation>Die Aufnahme wird gelesen… {percent}</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>Sitzungen</translation>
    </message>
    <message>
        <source>Show the cause</source>
        <translation>Ursache zeigen</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>Zurücknehmen</translation>
    </message>
    <message>
        <source>The values from before are back.</source>
        <translation>Die Werte von vorher gelten wieder.</translation>
    </message>
    <message>
        <source>Try for this flight</source>
        <translation>Für diesen Flug ausprobieren</translation>
    </message>
    <message>
        <source>Try for this game</source>
        <translation>Für dieses Spiel ausprobieren</translation>
    </message>
</context>
<context>
    <name>PhaseRow</name>
    <message>
        <source>As measured</source>
        <translation>Wie gemessen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>The ramp-up ends after</source>
        <translation>Der Anlauf endet nach</translation>
    </message>
    <message>
        <source>The warm-up ends after</source>
        <translation>Das Aufwärmen endet nach</translation>
    </message>
    <message>
        <source>Use these phases</source>
        <translation>Diese Phasen verwenden</translation>
    </message>
</context>
<context>
    <name>Played</name>
    <message numerus="yes">
        <source>%n stutter(s)</source>
        <comment>while playing</comment>
        <translation>
            <numerusform>%n Ruckler</numerusform>
            <numerusform>%n Ruckler</numerusform>
        </translation>
    </message>
    <message>
        <source>A game filled this screen for {time}.</source>
        <translation>Ein Spiel füllte diesen Bildschirm {time} lang.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>While you played: no stutter.</source>
        <translation>Beim Spielen: kein Ruckler.</translation>
    </message>
    <message>
        <source>While you played: {stutters}, {time} lost.</source>
        <translation>Beim Spielen: {stutters}, {time} verloren.</translation>
    </message>
    <message>
        <source>{count} of them: {cause}.</source>
        <translation>{count} davon: {cause}.</translation>
    </message>
</context>
<context>
    <name>ProgramChooser</name>
    <message>
        <source>Part of the name</source>
        <translation>Teil des Namens</translation>
    </message>
    <message>
        <source>Part of the program&apos;s name</source>
        <translation>Teil des Programmnamens</translation>
    </message>
    <message>
        <source>Programs</source>
        <translation>Programme</translation>
    </message>
    <message>
        <source>Programs that use the processor now.</source>
        <translation>Programme, die den Prozessor gerade benutzen.</translation>
    </message>
    <message>
        <source>The Flatpak&apos;s sandbox hides all other programs until Destutter&apos;s helper is set up.</source>
        <translation>Die Sandbox des Flatpaks verbirgt alle anderen Programme, bis der Hilfsdienst von Destutter eingerichtet ist.</translation>
    </message>
    <message>
        <source>The programs are being looked at…</source>
        <translation>Die Programme werden durchgesehen…</translation>
    </message>
    <message>
        <source>Watch this program</source>
        <translation>Dieses Programm beobachten</translation>
    </message>
</context>
<context>
    <name>ReadingView</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Progress of reading</source>
        <translation>Fortschritt des Lesens</translation>
    </message>
    <message>
        <source>Reading the recording…</source>
        <translation>Die Aufnahme wird gelesen…</translation>
    </message>
</context>
<context>
    <name>RecordButton</name>
    <message>
        <source>Record session</source>
        <translation>Sitzung aufnehmen</translation>
    </message>
    <message>
        <source>Stop  {time}</source>
        <translation>Stopp  {time}</translation>
    </message>
    <message>
        <source>Stop the recording</source>
        <translation>Aufnahme stoppen</translation>
    </message>
</context>
<context>
    <name>RecordPanel</name>
    <message>
        <source>How much of the recording is done</source>
        <translation>Wie weit die Aufnahme ist</translation>
    </message>
    <message>
        <source>In the rest nothing was measured.</source>
        <translation>In der übrigen Zeit wurde nichts gemessen.</translation>
    </message>
    <message>
        <source>Latest wake-up</source>
        <translation>Spätestes Aufwachen</translation>
    </message>
    <message>
        <source>Longest frame</source>
        <translation>Längstes Bild</translation>
    </message>
    <message>
        <source>Longest stutter</source>
        <translation>Längster Ruckler</translation>
    </message>
    <message>
        <source>Short of memory for</source>
        <translation>Zu wenig Speicher für</translation>
    </message>
    <message>
        <source>Slowest drive</source>
        <translation>Langsamstes Laufwerk</translation>
    </message>
    <message>
        <source>Stutters found</source>
        <translation>Gefundene Ruckler</translation>
    </message>
    <message>
        <source>The latest wake-ups, from the start until now</source>
        <translation>Das späteste Aufwachen, vom Beginn bis jetzt</translation>
    </message>
    <message>
        <source>The longest frames, from the start until now</source>
        <translation>Die längsten Bilder, vom Beginn bis jetzt</translation>
    </message>
    <message>
        <source>recorded, which is enough</source>
        <translation>aufgenommen, das reicht</translation>
    </message>
    <message>
        <source>recorded, which is enough: it can be stopped</source>
        <translation>aufgenommen, das reicht: Beenden ist möglich</translation>
    </message>
    <message>
        <source>recorded; at least {time} are needed</source>
        <translation>aufgenommen; mindestens {time} sind nötig</translation>
    </message>
    <message>
        <source>so far</source>
        <translation>bisher</translation>
    </message>
    <message>
        <source>stands still: no frames come (pause, loading, or no game)</source>
        <translation>steht still: es kommen keine Bilder (Pause, Laden oder kein Spiel)</translation>
    </message>
    <message>
        <source>{counted} of {passed} count.</source>
        <translation>{counted} von {passed} zählen.</translation>
    </message>
    <message>
        <source>{count} marked by you</source>
        <translation>{count} selbst markiert</translation>
    </message>
    <message>
        <source>{time} after the start</source>
        <translation>{time} nach dem Start</translation>
    </message>
</context>
<context>
    <name>RecordStep</name>
    <message>
        <source>Analyse</source>
        <translation>Auswerten</translation>
    </message>
    <message>
        <source>Go on with it, or record again.</source>
        <translation>Damit fortfahren oder neu aufnehmen.</translation>
    </message>
    <message>
        <source>Measuring has not begun yet.</source>
        <translation>Die Messung hat noch nicht begonnen.</translation>
    </message>
    <message>
        <source>Play as usual</source>
        <translation>Spielen Sie wie sonst</translation>
    </message>
    <message>
        <source>Record again</source>
        <translation>Neu aufnehmen</translation>
    </message>
    <message>
        <source>Record how it is now</source>
        <translation>Aufnehmen, wie es jetzt ist</translation>
    </message>
    <message>
        <source>Start recording</source>
        <translation>Aufnahme starten</translation>
    </message>
    <message>
        <source>Start the game first: Destutter notices it within half a minute. If it does not, choose it on the Live page, at the top. Without a game, the whole computer is recorded.</source>
        <translation>Starten Sie zuerst das Spiel: Destutter bemerkt es binnen einer halben Minute. Wenn nicht, wählen Sie es oben auf der Seite Live. Ohne Spiel wird der ganze Rechner aufgenommen.</translation>
    </message>
    <message>
        <source>Stop and analyse</source>
        <translation>Stoppen und auswerten</translation>
    </message>
    <message>
        <source>Switch to the game and play for {minutes} minutes or more. Stutters are found by themselves; {keys} in this window marks a moment of your own.</source>
        <translation>Wechseln Sie ins Spiel, und spielen Sie {minutes} Minuten oder länger. Ruckler werden von selbst gefunden; {keys} in diesem Fenster merkt sich einen Moment.</translation>
    </message>
    <message>
        <source>The recording is there</source>
        <translation>Die Aufnahme ist da</translation>
    </message>
    <message>
        <source>{game} runs. Start the recording, then play the part that stutters.</source>
        <translation>{game} läuft. Die Aufnahme starten, dann den Abschnitt spielen, der ruckelt.</translation>
    </message>
</context>
<context>
    <name>RenameRow</name>
    <message>
        <source>A recording needs a name</source>
        <translation>Eine Aufnahme braucht einen Namen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>New name</source>
        <translation>Neuer Name</translation>
    </message>
    <message>
        <source>New name of the recording</source>
        <translation>Neuer Name der Aufnahme</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Without “/”, not with a dot at the front, and shorter</source>
        <translation>Ohne „/“, nicht mit Punkt am Anfang, und kürzer</translation>
    </message>
</context>
<context>
    <name>ReplayBar</name>
    <message>
        <source>Back to live</source>
        <translation>Zurück zu Live</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Geschwindigkeit</translation>
    </message>
    <message>
        <source>{at} of {length}</source>
        <translation>{at} von {length}</translation>
    </message>
    <message>
        <source>{times}×</source>
        <comment>how fast a recording is played</comment>
        <translation>{times}×</translation>
    </message>
</context>
<context>
    <name>Risk</name>
    <message>
        <source>Helps here, can slow down other work.</source>
        <translation>Hilft hier, kann andere Arbeit bremsen.</translation>
    </message>
    <message>
        <source>May keep the computer from starting; kept only after a successful trial.</source>
        <translation>Kann den Start des Rechners verhindern; wird nur nach geglückter Probe behalten.</translation>
    </message>
    <message>
        <source>One value, back to the old one at any time.</source>
        <translation>Ein Wert, jederzeit zurück zum alten.</translation>
    </message>
</context>
<context>
    <name>SeekBar</name>
    <message>
        <source>Click to go there; the marks are stutters</source>
        <translation>Klicken, um dorthin zu gehen; die Striche sind Ruckler</translation>
    </message>
    <message>
        <source>Position in the recording</source>
        <translation>Stelle in der Aufnahme</translation>
    </message>
</context>
<context>
    <name>SessionColumn</name>
    <message>
        <source>By game, name, date, comment or what came out</source>
        <translation>Nach Spiel, Name, Datum, Kommentar oder Ergebnis</translation>
    </message>
    <message>
        <source>No other recording has these words</source>
        <translation>Keine andere Aufnahme hat diese Wörter</translation>
    </message>
    <message>
        <source>No recording has these words</source>
        <translation>Keine Aufnahme hat diese Wörter</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search recordings</source>
        <translation>Aufnahmen durchsuchen</translation>
    </message>
    <message>
        <source>{before} before, {after} after. The keys A and B move one.</source>
        <translation>{before} vorher, {after} nachher. Die Tasten A und B verschieben eine.</translation>
    </message>
</context>
<context>
    <name>SessionGraph</name>
    <message>
        <source>Closer</source>
        <translation>Näher</translation>
    </message>
    <message>
        <source>Farther</source>
        <translation>Weiter weg</translation>
    </message>
    <message>
        <source>Read the value to the left</source>
        <translation>Den Wert links davon ablesen</translation>
    </message>
    <message>
        <source>Read the value to the right</source>
        <translation>Den Wert rechts davon ablesen</translation>
    </message>
    <message>
        <source>Whole recording</source>
        <translation>Ganze Aufnahme</translation>
    </message>
</context>
<context>
    <name>SessionHead</name>
    <message>
        <source>Can be undone. Delete in the list</source>
        <translation>Lässt sich rückgängig machen. Entf in der Liste</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>F2 in the list</source>
        <translation>F2 in der Liste</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>Wiedergabe</translation>
    </message>
    <message>
        <source>Show this recording in the Live page</source>
        <translation>Diese Aufnahme auf der Seite „Live“ zeigen</translation>
    </message>
</context>
<context>
    <name>SessionList</name>
    <message>
        <source>Compare as after (B)</source>
        <translation>Als „nachher“ vergleichen (B)</translation>
    </message>
    <message>
        <source>Compare as before (A)</source>
        <translation>Als „vorher“ vergleichen (A)</translation>
    </message>
    <message>
        <source>Compare it, or no longer</source>
        <translation>Vergleichen, oder nicht mehr</translation>
    </message>
    <message>
        <source>Delete; can be undone</source>
        <translation>Löschen, mit Rückweg</translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation>Aufnahmen</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Show this recording</source>
        <translation>Diese Aufnahme zeigen</translation>
    </message>
</context>
<context>
    <name>Sessions</name>
    <message>
        <source>HH:mm</source>
        <comment>format of a time</comment>
        <translation>HH:mm</translation>
    </message>
    <message>
        <source>Make a report</source>
        <translation>Bericht erstellen</translation>
    </message>
    <message>
        <source>No game</source>
        <translation>Kein Spiel</translation>
    </message>
    <message>
        <source>Not readable</source>
        <translation>Nicht lesbar</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Recording now</source>
        <translation>Nimmt gerade auf</translation>
    </message>
    <message>
        <source>Saved as {name}</source>
        <translation>Gespeichert als {name}</translation>
    </message>
    <message>
        <source>The comment on {name} was not kept</source>
        <translation>Der Kommentar zu {name} wurde nicht behalten</translation>
    </message>
    <message>
        <source>The folder of recordings cannot be read</source>
        <translation>Der Ordner der Aufnahmen lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>The recording ended by itself</source>
        <translation>Die Aufnahme hat von selbst geendet</translation>
    </message>
    <message>
        <source>The report is in the clipboard</source>
        <translation>Der Bericht ist in der Zwischenablage</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>format of a date of this year</comment>
        <translation>d. MMM</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <comment>format of a date of another year</comment>
        <translation>d. MMM yyyy</translation>
    </message>
    <message>
        <source>in {folder}</source>
        <translation>in {folder}</translation>
    </message>
    <message>
        <source>{name} cannot be read</source>
        <translation>{name} lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>{name} was not brought back</source>
        <translation>{name} wurde nicht zurückgeholt</translation>
    </message>
    <message>
        <source>{name} was not deleted</source>
        <translation>{name} wurde nicht gelöscht</translation>
    </message>
    <message>
        <source>{name} was not imported</source>
        <translation>{name} wurde nicht importiert</translation>
    </message>
    <message>
        <source>{name} was not renamed</source>
        <translation>{name} wurde nicht umbenannt</translation>
    </message>
    <message>
        <source>{name} was not saved</source>
        <translation>{name} wurde nicht gespeichert</translation>
    </message>
    <message>
        <source>{played} of {length} count</source>
        <translation>{played} von {length} zählen</translation>
    </message>
    <message>
        <source>“{name}” was deleted</source>
        <translation>„{name}“ wurde gelöscht</translation>
    </message>
</context>
<context>
    <name>SessionsHeader</name>
    <message>
        <source>Importing {name}…</source>
        <translation>{name} wird importiert…</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>Importieren…</translation>
    </message>
    <message>
        <source>Logs of MangoHud and CapFrameX, and recordings of Destutter</source>
        <translation>Protokolle von MangoHud und CapFrameX und Aufnahmen von Destutter</translation>
    </message>
    <message>
        <source>Record a game before and after a change, then compare</source>
        <translation>Ein Spiel vor und nach einer Änderung aufnehmen, dann vergleichen</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>Sitzungen</translation>
    </message>
</context>
<context>
    <name>SessionsPage</name>
    <message>
        <source>Import…</source>
        <translation>Importieren…</translation>
    </message>
    <message>
        <source>No recordings yet</source>
        <translation>Noch keine Aufnahmen</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen…</translation>
    </message>
    <message>
        <source>Record session</source>
        <translation>Sitzung aufnehmen</translation>
    </message>
    <message>
        <source>Record while you play, change something, and record again: Destutter tells whether it helped. Logs of MangoHud and CapFrameX can be imported.</source>
        <translation>Beim Spielen aufnehmen, etwas ändern und noch einmal aufnehmen: Destutter sagt, ob es geholfen hat. Protokolle von MangoHud und CapFrameX lassen sich importieren.</translation>
    </message>
</context>
<context>
    <name>SettingRowView</name>
    <message>
        <source>Change {setting} to {value}</source>
        <translation>{setting} auf {value} ändern</translation>
    </message>
    <message>
        <source>Decide…</source>
        <translation>Entscheiden…</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Details: {setting}</source>
        <translation>Einzelheiten: {setting}</translation>
    </message>
    <message>
        <source>Read the details first</source>
        <translation>Zuerst die Einzelheiten lesen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>ticked together with “{names}”</source>
        <translation>zusammen mit „{names}“ angekreuzt</translation>
    </message>
    <message>
        <source>{action}: {setting}</source>
        <translation>{action}: {setting}</translation>
    </message>
</context>
<context>
    <name>SettingTable</name>
    <message>
        <source>Expected effect</source>
        <translation>Erwartete Wirkung</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>Empfohlen</translation>
    </message>
    <message>
        <source>Risk</source>
        <translation>Risiko</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>Damals</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message numerus="yes">
        <source>%n page(s)</source>
        <translation>
            <numerusform>%n Seite</numerusform>
            <numerusform>%n Seiten</numerusform>
        </translation>
    </message>
    <message>
        <source>always</source>
        <translation>immer</translation>
    </message>
    <message>
        <source>deep sleep</source>
        <translation>tiefer Schlaf</translation>
    </message>
    <message>
        <source>each in turn</source>
        <translation>jedes der Reihe nach</translation>
    </message>
    <message>
        <source>later</source>
        <translation>später</translation>
    </message>
    <message>
        <source>light sleep</source>
        <translation>leichter Schlaf</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source>never asleep</source>
        <translation>nie im Schlaf</translation>
    </message>
    <message>
        <source>not held</source>
        <translation>nicht gehalten</translation>
    </message>
    <message>
        <source>not readable</source>
        <translation>nicht lesbar</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>on</source>
        <translation>ein</translation>
    </message>
    <message>
        <source>on request</source>
        <translation>auf Anfrage</translation>
    </message>
    <message>
        <source>on request, else later</source>
        <translation>auf Anfrage, sonst später</translation>
    </message>
    <message>
        <source>who asks first</source>
        <translation>wer zuerst fragt</translation>
    </message>
    <message>
        <source>who needs little</source>
        <translation>wer wenig braucht</translation>
    </message>
    <message>
        <source>who reads</source>
        <translation>wer liest</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>A small program that wakes {count} times a second. It finds hiccups of the whole computer, also without a game&apos;s frame times. Measuring begins anew.</source>
        <translation>Ein kleines Programm, das {count}-mal in der Sekunde aufwacht. Es findet Aussetzer des ganzen Rechners, auch ohne Bildzeiten eines Spiels. Die Messung beginnt von vorn.</translation>
    </message>
    <message>
        <source>Advice follows it: how much memory is kept free, what may sleep.</source>
        <translation>Die Empfehlungen richten sich danach: wie viel Speicher frei bleibt, was schlafen darf.</translation>
    </message>
    <message>
        <source>An entry that starts this file. Off: it is taken out again.</source>
        <translation>Ein Eintrag, der diese Datei startet. Aus: Er wird wieder entfernt.</translation>
    </message>
    <message>
        <source>Any game</source>
        <translation>Irgendein Spiel</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Erscheinungsbild</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>Wie der Desktop</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>Chinese, simplified</source>
        <translation>Chinesisch, vereinfacht</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>Ordner auswählen…</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Dark or light. The window changes at once.</source>
        <translation>Dunkel oder hell. Das Fenster ändert sich sofort.</translation>
    </message>
    <message>
        <source>Folder of recordings</source>
        <translation>Ordner der Aufnahmen</translation>
    </message>
    <message>
        <source>Folder, from the next start on</source>
        <translation>Ordner, ab dem nächsten Start</translation>
    </message>
    <message>
        <source>From the next start on.</source>
        <translation>Ab dem nächsten Start.</translation>
    </message>
    <message>
        <source>Icon in the tray</source>
        <translation>Symbol im Infobereich</translation>
    </message>
    <message>
        <source>In the background Destutter goes on measuring. {keys} always quits.</source>
        <translation>Im Hintergrund misst Destutter weiter. {keys} beendet immer.</translation>
    </message>
    <message>
        <source>In the desktop&apos;s menu</source>
        <translation>Im Menü des Desktops</translation>
    </message>
    <message>
        <source>Keep measuring</source>
        <translation>Weiter messen</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>Measure the wake-up delay</source>
        <translation>Aufwachverzögerung messen</translation>
    </message>
    <message>
        <source>Measuring and advice</source>
        <translation>Messung und Empfehlungen</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>Benachrichtigungen</translation>
    </message>
    <message>
        <source>Off: the pages wait for a game, or for a program that you choose.</source>
        <translation>Aus: Die Seiten warten auf ein Spiel oder auf ein gewähltes Programm.</translation>
    </message>
    <message>
        <source>On the desktop</source>
        <translation>Auf dem Desktop</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation>Aufnahmen</translation>
    </message>
    <message>
        <source>Sampling interval</source>
        <translation>Messabstand</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Shorter finds shorter stutters and costs more. Above {longest} a drive that sleeps is not found. Measuring begins anew.</source>
        <translation>Kürzer findet kürzere Ruckler und kostet mehr. Über {longest} wird ein Laufwerk, das schläft, nicht gefunden. Die Messung beginnt von vorn.</translation>
    </message>
    <message>
        <source>Start with the desktop</source>
        <translation>Mit dem Desktop starten</translation>
    </message>
    <message>
        <source>The helper</source>
        <translation>Der Hilfsdienst</translation>
    </message>
    <message>
        <source>Use the usual folder</source>
        <translation>Üblichen Ordner nehmen</translation>
    </message>
    <message>
        <source>Watch the whole computer while no game runs</source>
        <translation>Den ganzen Rechner beobachten, solange kein Spiel läuft</translation>
    </message>
    <message>
        <source>What is played</source>
        <translation>Was gespielt wird</translation>
    </message>
    <message>
        <source>What it is for, how to get it, and how to remove it.</source>
        <translation>Wozu er da ist, wie man ihn bekommt und wie man ihn entfernt.</translation>
    </message>
    <message>
        <source>When a recording is finished, a trial has ended, or something else changed a setting. At most one in {minutes} minutes, never about a stutter.</source>
        <translation>Wenn eine Aufnahme fertig ist, eine Probe endet oder etwas anderes eine Einstellung ändert. Höchstens eine in {minutes} Minuten, nie wegen eines Rucklers.</translation>
    </message>
    <message>
        <source>When the window closes</source>
        <translation>Beim Schließen des Fensters</translation>
    </message>
    <message>
        <source>Where the desktop has a tray. Everything works without it.</source>
        <translation>Wo der Desktop einen Infobereich hat. Alles geht auch ohne ihn.</translation>
    </message>
    <message>
        <source>Without a window, so that what is kept for a game is set when you play. Start Destutter once more to see it.</source>
        <translation>Ohne Fenster, damit gesetzt ist, was für ein Spiel behalten wird, wenn Sie spielen. Starten Sie Destutter noch einmal, um es zu sehen.</translation>
    </message>
</context>
<context>
    <name>SidePanel</name>
    <message>
        <source>Close (Esc)</source>
        <translation>Schließen (Esc)</translation>
    </message>
    <message>
        <source>Close the panel</source>
        <translation>Seitenfeld schließen</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Helper does not fit</source>
        <translation>Hilfsdienst passt nicht</translation>
    </message>
    <message>
        <source>Helper fails</source>
        <translation>Hilfsdienst defekt</translation>
    </message>
    <message>
        <source>Helper ready</source>
        <translation>Hilfsdienst bereit</translation>
    </message>
    <message>
        <source>No helper</source>
        <translation>Kein Hilfsdienst</translation>
    </message>
    <message>
        <source>measuring only</source>
        <translation>nur messen</translation>
    </message>
    <message>
        <source>newer than this program</source>
        <translation>neuer als dieses Programm</translation>
    </message>
    <message>
        <source>older than this program</source>
        <translation>älter als dieses Programm</translation>
    </message>
    <message>
        <source>settings can be changed</source>
        <translation>Einstellungen änderbar</translation>
    </message>
    <message>
        <source>{page}, a recording runs</source>
        <translation>{page}, eine Aufnahme läuft</translation>
    </message>
    <message>
        <source>{title}, {detail}</source>
        <translation>{title}, {detail}</translation>
    </message>
</context>
<context>
    <name>Step</name>
    <message>
        <source>Continue</source>
        <translation>Weiter</translation>
    </message>
</context>
<context>
    <name>Stepper</name>
    <message>
        <source>Back to this step</source>
        <translation>Zurück zu diesem Schritt</translation>
    </message>
    <message>
        <source>Step {number} of {count}: {name}</source>
        <translation>Schritt {number} von {count}: {name}</translation>
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
    <message>
        <source>Close the strip</source>
        <translation>Leiste schließen</translation>
    </message>
    <message>
        <source>Compact strip</source>
        <translation>Kompakte Leiste</translation>
    </message>
    <message>
        <source>Destutter strip</source>
        <translation>Destutter-Leiste</translation>
    </message>
    <message>
        <source>Keep on top</source>
        <translation>Immer vorn</translation>
    </message>
    <message>
        <source>Keep on top: right-click the window in the task bar, More Actions, Keep Above Others (KDE)</source>
        <translation>Immer vorn: Rechtsklick auf das Fenster in der Fensterleiste, Weitere Aktionen, Im Vordergrund halten (KDE)</translation>
    </message>
    <message>
        <source>Mark this moment</source>
        <translation>Moment markieren</translation>
    </message>
    <message>
        <source>No stutter</source>
        <translation>Kein Ruckler</translation>
    </message>
    <message>
        <source>Open Destutter</source>
        <translation>Destutter öffnen</translation>
    </message>
    <message>
        <source>Or begin with: {command}</source>
        <translation>Oder so starten: {command}</translation>
    </message>
    <message>
        <source>Quit Destutter</source>
        <translation>Destutter beenden</translation>
    </message>
    <message>
        <source>Record session</source>
        <translation>Sitzung aufnehmen</translation>
    </message>
    <message>
        <source>Stop recording</source>
        <translation>Aufnahme stoppen</translation>
    </message>
    <message>
        <source>Stutter, {length}</source>
        <translation>Ruckler, {length}</translation>
    </message>
    <message>
        <source>frame time</source>
        <translation>Bildzeit</translation>
    </message>
    <message>
        <source>in the last {minutes} minutes</source>
        <translation>in den letzten {minutes} Minuten</translation>
    </message>
    <message>
        <source>measuring</source>
        <translation>Messung läuft</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>wake-up delay</source>
        <translation>Aufwachverzögerung</translation>
    </message>
    <message>
        <source>{age} · {count}</source>
        <translation>{age} · {count}</translation>
    </message>
    <message>
        <source>{cause}, {length}</source>
        <translation>{cause}, {length}</translation>
    </message>
    <message>
        <source>{time} ago</source>
        <translation>vor {time}</translation>
    </message>
</context>
<context>
    <name>StripRow</name>
    <message>
        <source>Frames of more than {limit} and {times} times the usual one; those less than {apart} apart are one stutter, for {most} at most. Without frame times: how long the game stood still, or how late the processor woke a program.</source>
        <translation>Bilder von mehr als {limit} und dem {times}-Fachen des üblichen; solche im Abstand von weniger als {apart} sind ein Ruckler, höchstens {most} lang. Ohne Bildzeiten: wie lange das Spiel stillstand oder wie spät der Prozessor ein Programm weckte.</translation>
    </message>
    <message>
        <source>Show the stutters as a list</source>
        <translation>Ruckler als Liste zeigen</translation>
    </message>
    <message>
        <source>Stutters</source>
        <translation>Ruckler</translation>
    </message>
    <message>
        <source>none in {span}</source>
        <translation>keine in {span}</translation>
    </message>
    <message>
        <source>{count} in {span}</source>
        <translation>{count} in {span}</translation>
    </message>
</context>
<context>
    <name>StutterList</name>
    <message>
        <source>No cause found</source>
        <translation>Keine Ursache gefunden</translation>
    </message>
    <message>
        <source>No stutter in the last {minutes} minutes.</source>
        <translation>Kein Ruckler in den letzten {minutes} Minuten.</translation>
    </message>
    <message>
        <source>Nothing outside the game found</source>
        <translation>Nichts außerhalb des Spiels gefunden</translation>
    </message>
    <message>
        <source>Possibly: {cause}</source>
        <translation>Möglicherweise: {cause}</translation>
    </message>
    <message>
        <source>Stutters</source>
        <translation>Ruckler</translation>
    </message>
</context>
<context>
    <name>System</name>
    <message numerus="yes">
        <source>%n quieter one(s) are not listed.</source>
        <translation>
            <numerusform>%n ruhigerer ist nicht aufgeführt.</numerusform>
            <numerusform>%n ruhigere sind nicht aufgeführt.</numerusform>
        </translation>
    </message>
    <message>
        <source>A file of the kernel</source>
        <translation>Eine Datei des Kernels</translation>
    </message>
    <message>
        <source>Area</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Below low: being freed</source>
        <translation>Unter low: wird freigegeben</translation>
    </message>
    <message>
        <source>Below min: programs wait</source>
        <translation>Unter min: Programme warten</translation>
    </message>
    <message>
        <source>Between low and high</source>
        <translation>Zwischen low und high</translation>
    </message>
    <message>
        <source>Busiest interrupts</source>
        <translation>Häufigste Interrupts</translation>
    </message>
    <message>
        <source>Call path of the longest wait in the kernel</source>
        <translation>Aufrufweg des längsten Wartens im Kernel</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>Ändert</translation>
    </message>
    <message>
        <source>Clock source</source>
        <translation>Zeitquelle</translation>
    </message>
    <message>
        <source>Compression</source>
        <translation>Kompression</translation>
    </message>
    <message>
        <source>Control group</source>
        <translation>Kontrollgruppe</translation>
    </message>
    <message>
        <source>Core</source>
        <translation>Kern</translation>
    </message>
    <message>
        <source>Cost: about {time} more for each interrupt.</source>
        <translation>Kosten: etwa {time} mehr bei jeder Unterbrechung.</translation>
    </message>
    <message>
        <source>Cost: about {time} more for each page that has to be read.</source>
        <translation>Kosten: etwa {time} mehr bei jeder Seite, die gelesen werden muss.</translation>
    </message>
    <message>
        <source>Cost: about {time} more for each sleep for a drive or a lock.</source>
        <translation>Kosten: etwa {time} mehr bei jedem Schlaf wegen eines Laufwerks oder einer Sperre.</translation>
    </message>
    <message>
        <source>Cost: about {time} more for each wait, some for each frame.</source>
        <translation>Kosten: etwa {time} mehr bei jedem Warten, einige bei jedem Bild.</translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation>Distribution</translation>
    </message>
    <message>
        <source>Drive</source>
        <translation>Laufwerk</translation>
    </message>
    <message>
        <source>Drives</source>
        <translation>Laufwerke</translation>
    </message>
    <message>
        <source>Drives/s</source>
        <translation>Laufwerke/s</translation>
    </message>
    <message>
        <source>Enough free</source>
        <translation>Genug frei</translation>
    </message>
    <message>
        <source>Everything that Destutter knows is measured here.</source>
        <translation>Alles, was Destutter kennt, wird hier gemessen.</translation>
    </message>
    <message>
        <source>Failing</source>
        <translation>Fällt aus</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Files of which the game&apos;s threads waited for pages</source>
        <translation>Dateien, auf deren Seiten Threads des Spiels warteten</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>Frei</translation>
    </message>
    <message>
        <source>Free memory below the mark low: the kernel frees more in the background. Below the mark min, the program that asks for memory waits for it.</source>
        <translation>Freier Speicher unter der Marke low: Der Kernel gibt im Hintergrund mehr frei. Unter der Marke min wartet das Programm, das Speicher anfordert.</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>Funktion</translation>
    </message>
    <message>
        <source>Good</source>
        <translation>Gut</translation>
    </message>
    <message>
        <source>Graphics card</source>
        <translation>Grafikkarte</translation>
    </message>
    <message>
        <source>Handler</source>
        <translation>Behandlung</translation>
    </message>
    <message>
        <source>Health</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>How long an NVMe drive needs to wake up stands in the drive itself, and only the helper may ask it.</source>
        <translation>Wie lange ein NVMe-Laufwerk zum Aufwachen braucht, steht im Laufwerk selbst, und nur der Hilfsdienst darf es fragen.</translation>
    </message>
    <message>
        <source>How often</source>
        <translation>Wie oft</translation>
    </message>
    <message>
        <source>In all</source>
        <translation>Insgesamt</translation>
    </message>
    <message>
        <source>Interrupt</source>
        <translation>Interrupt</translation>
    </message>
    <message>
        <source>Interrupts per core</source>
        <translation>Interrupts je Kern</translation>
    </message>
    <message>
        <source>Interrupts that stopped the game&apos;s threads</source>
        <translation>Unterbrechungen, die Threads des Spiels anhielten</translation>
    </message>
    <message>
        <source>Interrupts/s</source>
        <translation>Interrupts/s</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Kernel and clock</source>
        <translation>Kernel und Takt</translation>
    </message>
    <message>
        <source>Longest</source>
        <translation>Am längsten</translation>
    </message>
    <message>
        <source>Managed</source>
        <translation>Verwaltet</translation>
    </message>
    <message>
        <source>Mark high</source>
        <translation>Marke high</translation>
    </message>
    <message>
        <source>Mark low</source>
        <translation>Marke low</translation>
    </message>
    <message>
        <source>Mark min</source>
        <translation>Marke min</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Memory zones</source>
        <translation>Speicherzonen</translation>
    </message>
    <message>
        <source>NVMe</source>
        <translation>NVMe</translation>
    </message>
    <message>
        <source>NVMe power states</source>
        <translation>NVMe-Schlafzustände</translation>
    </message>
    <message>
        <source>Network/s</source>
        <translation>Netzwerk/s</translation>
    </message>
    <message>
        <source>No drive is visible here.</source>
        <translation>Hier ist kein Laufwerk zu sehen.</translation>
    </message>
    <message>
        <source>No interrupt comes once a second or more.</source>
        <translation>Kein Interrupt kommt einmal pro Sekunde oder öfter.</translation>
    </message>
    <message>
        <source>No interrupt stopped a thread of the game.</source>
        <translation>Keine Unterbrechung hielt einen Thread des Spiels an.</translation>
    </message>
    <message>
        <source>No program runs under a real-time policy.</source>
        <translation>Kein Programm läuft unter einer Echtzeitregel.</translation>
    </message>
    <message>
        <source>No thread of the game slept for {time} in the kernel.</source>
        <translation>Kein Thread des Spiels schlief {time} lang im Kernel.</translation>
    </message>
    <message>
        <source>No thread of the game waited for a page of a file.</source>
        <translation>Kein Thread des Spiels wartete auf eine Seite einer Datei.</translation>
    </message>
    <message>
        <source>No thread of the game waited for the graphics card.</source>
        <translation>Kein Thread des Spiels wartete auf die Grafikkarte.</translation>
    </message>
    <message>
        <source>None of the known ones runs.</source>
        <translation>Keines der bekannten läuft.</translation>
    </message>
    <message>
        <source>Not measured</source>
        <translation>Nicht gemessen</translation>
    </message>
    <message>
        <source>Not measured here</source>
        <translation>Hier nicht gemessen</translation>
    </message>
    <message>
        <source>Not measured: the Flatpak&apos;s sandbox hides all other programs.</source>
        <translation>Nicht gemessen: Die Sandbox des Flatpaks verbirgt alle anderen Programme.</translation>
    </message>
    <message>
        <source>Not measured: the event {event} is in Linux {version} and newer only.</source>
        <translation>Nicht gemessen: Das Ereignis {event} gibt es erst ab Linux {version}.</translation>
    </message>
    <message>
        <source>Not measured: this kernel has no event {event}.</source>
        <translation>Nicht gemessen: Dieser Kernel hat das Ereignis {event} nicht.</translation>
    </message>
    <message>
        <source>Nothing is measured yet.</source>
        <translation>Noch ist nichts gemessen.</translation>
    </message>
    <message>
        <source>Nothing to show</source>
        <translation>Nichts zu zeigen</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Of one core</source>
        <translation>Von einem Kern</translation>
    </message>
    <message>
        <source>Other tools that change settings</source>
        <translation>Andere Werkzeuge, die Einstellungen ändern</translation>
    </message>
    <message>
        <source>Others/s</source>
        <translation>Andere/s</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>Überblick</translation>
    </message>
    <message>
        <source>PCI Express power saving</source>
        <translation>Stromsparen von PCI Express</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>Per second</source>
        <translation>Pro Sekunde</translation>
    </message>
    <message>
        <source>Policy and priority</source>
        <translation>Regel und Priorität</translation>
    </message>
    <message>
        <source>Power saving</source>
        <translation>Stromsparen</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>Priorität</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Prozessor</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Queue depth</source>
        <translation>Warteschlange</translation>
    </message>
    <message>
        <source>Readahead</source>
        <translation>Vorauslesen</translation>
    </message>
    <message>
        <source>Real-time limit</source>
        <translation>Echtzeitgrenze</translation>
    </message>
    <message>
        <source>Real-time threads</source>
        <translation>Echtzeit-Threads</translation>
    </message>
    <message>
        <source>SATA SSD</source>
        <translation>SATA-SSD</translation>
    </message>
    <message>
        <source>Scheduler</source>
        <translation>Scheduler</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Started with</source>
        <translation>Gestartet mit</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Swap and huge pages</source>
        <translation>Auslagerung und große Seiten</translation>
    </message>
    <message>
        <source>Swap: {kind}. zswap: {zswap}. Transparent huge pages: {thp}, defrag {defrag}.</source>
        <translation>Auslagerung: {kind}. zswap: {zswap}. Große Seiten (transparent huge pages): {thp}, defrag {defrag}.</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>The kernel&apos;s zones cannot be read.</source>
        <translation>Die Zonen des Kernels lassen sich nicht lesen.</translation>
    </message>
    <message>
        <source>This is not measured here.</source>
        <translation>Das wird hier nicht gemessen.</translation>
    </message>
    <message>
        <source>Thread</source>
        <translation>Thread</translation>
    </message>
    <message>
        <source>Thread, driver</source>
        <translation>Thread, Treiber</translation>
    </message>
    <message>
        <source>Time in interrupts</source>
        <translation>Zeit in Interrupts</translation>
    </message>
    <message>
        <source>Timer/s</source>
        <translation>Timer/s</translation>
    </message>
    <message>
        <source>UDisks2 did not answer</source>
        <translation>UDisks2 hat nicht geantwortet</translation>
    </message>
    <message>
        <source>UDisks2 does not run</source>
        <translation>UDisks2 läuft nicht</translation>
    </message>
    <message>
        <source>USB drive</source>
        <translation>USB-Laufwerk</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>Belegt</translation>
    </message>
    <message>
        <source>Virtual machine</source>
        <translation>Virtuelle Maschine</translation>
    </message>
    <message>
        <source>Waits of the game&apos;s threads for the graphics card</source>
        <translation>Warten der Threads des Spiels auf die Grafikkarte</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Write throttling</source>
        <translation>Schreibdrosselung</translation>
    </message>
    <message>
        <source>Zone</source>
        <translation>Zone</translation>
    </message>
    <message>
        <source>a drive behind zswap</source>
        <translation>ein Laufwerk hinter zswap</translation>
    </message>
    <message>
        <source>a real-time thread that runs wild takes the whole core</source>
        <translation>ein außer Kontrolle geratener Echtzeit-Thread belegt den ganzen Kern</translation>
    </message>
    <message>
        <source>also there: {others}</source>
        <translation>auch vorhanden: {others}</translation>
    </message>
    <message>
        <source>compressed in memory (zram)</source>
        <translation>komprimiert im Arbeitsspeicher (zram)</translation>
    </message>
    <message>
        <source>drive: {depth}</source>
        <translation>Laufwerk: {depth}</translation>
    </message>
    <message>
        <source>hard disk</source>
        <translation>Festplatte</translation>
    </message>
    <message>
        <source>hidden by the Flatpak&apos;s sandbox</source>
        <translation>von der Sandbox des Flatpaks verborgen</translation>
    </message>
    <message>
        <source>may sleep</source>
        <translation>darf schlafen</translation>
    </message>
    <message>
        <source>memory card</source>
        <translation>Speicherkarte</translation>
    </message>
    <message>
        <source>never sleeps by itself</source>
        <translation>schläft nie von selbst</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>no NVMe driver</source>
        <translation>kein NVMe-Treiber</translation>
    </message>
    <message>
        <source>no system bus</source>
        <translation>kein Systembus</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>not a drive of its own</source>
        <translation>kein eigenes Laufwerk</translation>
    </message>
    <message>
        <source>not in this kernel</source>
        <translation>nicht in diesem Kernel</translation>
    </message>
    <message>
        <source>not in this queue</source>
        <translation>nicht in dieser Warteschlange</translation>
    </message>
    <message>
        <source>of several or unknown kinds</source>
        <translation>mehrere oder unbekannte Arten</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>on</source>
        <translation>ein</translation>
    </message>
    <message>
        <source>on a hard disk</source>
        <translation>auf einer Festplatte</translation>
    </message>
    <message>
        <source>on an SSD</source>
        <translation>auf einer SSD</translation>
    </message>
    <message>
        <source>on top of other storage</source>
        <translation>über anderen Laufwerken</translation>
    </message>
    <message>
        <source>save your data</source>
        <translation>Daten sichern</translation>
    </message>
    <message>
        <source>slow: every look at the clock costs a game time</source>
        <translation>langsam: Jeder Blick auf die Uhr kostet ein Spiel Zeit</translation>
    </message>
    <message>
        <source>target for reads</source>
        <translation>Ziel für Lesezugriffe</translation>
    </message>
    <message>
        <source>the Flatpak may not ask UDisks2</source>
        <translation>das Flatpak darf UDisks2 nicht fragen</translation>
    </message>
    <message>
        <source>the drive does not tell UDisks2</source>
        <translation>das Laufwerk sagt es UDisks2 nicht</translation>
    </message>
    <message>
        <source>those that wake within {time}</source>
        <translation>die binnen {time} aufwachen</translation>
    </message>
    <message>
        <source>tolerates {time} µs</source>
        <translation>duldet {time} µs</translation>
    </message>
    <message>
        <source>up to {clock}</source>
        <translation>bis {clock}</translation>
    </message>
    <message>
        <source>virtual drive</source>
        <translation>virtuelles Laufwerk</translation>
    </message>
    <message>
        <source>wakes in {times}</source>
        <translation>wacht in {times} auf</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>zram first, then a drive</source>
        <translation>erst zram, dann ein Laufwerk</translation>
    </message>
    <message>
        <source>{count} cores</source>
        <translation>{count} Kerne</translation>
    </message>
    <message>
        <source>{count} dies with a cache of their own: {sizes}</source>
        <translation>{count} Chiplets mit eigenem Cache: {sizes}</translation>
    </message>
    <message>
        <source>{count} events in {time}, read with {share} of a core.</source>
        <translation>{count} Ereignisse in {time}, gelesen mit {share} eines Kerns.</translation>
    </message>
    <message>
        <source>{count} threads</source>
        <translation>{count} Threads</translation>
    </message>
    <message>
        <source>{ratio} to 1</source>
        <translation>{ratio} zu 1</translation>
    </message>
    <message>
        <source>{share} busy</source>
        <translation>{share} ausgelastet</translation>
    </message>
    <message>
        <source>{share} of each second</source>
        <translation>{share} jeder Sekunde</translation>
    </message>
    <message>
        <source>{size} available</source>
        <translation>{size} verfügbar</translation>
    </message>
    <message>
        <source>{size} cache</source>
        <translation>{size} Cache</translation>
    </message>
    <message>
        <source>{size} free</source>
        <translation>{size} frei</translation>
    </message>
    <message>
        <source>{size} of its memory in use</source>
        <translation>{size} seines Speichers belegt</translation>
    </message>
    <message>
        <source>{thread} slept {time}; a recording has no call paths.</source>
        <translation>{thread} schlief {time}; eine Aufnahme hat keine Aufrufwege.</translation>
    </message>
    <message>
        <source>{thread} slept {time}; its call path is kept no more.</source>
        <translation>{thread} schlief {time}; der Aufrufweg davon ist nicht mehr da.</translation>
    </message>
    <message>
        <source>{thread} slept {time}; the innermost function stands first.</source>
        <translation>{thread} schlief {time}; die innerste Funktion steht zuerst.</translation>
    </message>
    <message>
        <source>{time} not measured in full.</source>
        <translation>{time} nicht ganz gemessen.</translation>
    </message>
    <message>
        <source>{what}: {why}</source>
        <translation>{what}: {why}</translation>
    </message>
</context>
<context>
    <name>SystemPage</name>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>Als Text kopieren</translation>
    </message>
    <message>
        <source>Inside the kernel</source>
        <translation>Im Kernel</translation>
    </message>
    <message>
        <source>Rates and threads are those of the recording; all else is this computer</source>
        <translation>Raten und Threads sind die der Aufnahme; alles andere ist dieser Rechner</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>What stops the threads of the game, by the kernel&apos;s own word</source>
        <translation>Was die Threads des Spiels anhält, nach Auskunft des Kernels</translation>
    </message>
    <message>
        <source>What this computer is made of and how it is set, read every {seconds} seconds</source>
        <translation>Woraus dieser Rechner besteht und wie er eingestellt ist, alle {seconds} Sekunden gelesen</translation>
    </message>
</context>
<context>
    <name>Tile</name>
    <message>
        <source>Measuring</source>
        <translation>Messung läuft</translation>
    </message>
    <message>
        <source>{group}: {state}</source>
        <translation>{group}: {state}</translation>
    </message>
    <message>
        <source>{state}: {reason}</source>
        <translation>{state}: {reason}</translation>
    </message>
</context>
<context>
    <name>TimeRow</name>
    <message>
        <source>Back to now</source>
        <translation>Zum Jetzt</translation>
    </message>
    <message>
        <source>Choose the lanes</source>
        <translation>Diagramme auswählen</translation>
    </message>
    <message>
        <source>Choose which graphs are shown, and their order</source>
        <translation>Auswählen, welche Diagramme zu sehen sind, und ihre Reihenfolge</translation>
    </message>
    <message>
        <source>Lanes…</source>
        <translation>Diagramme…</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>{time} behind</source>
        <translation>{time} zurück</translation>
    </message>
</context>
<context>
    <name>TraceRow</name>
    <message>
        <source>A closer look tells which part of the game waited, for what and how long.</source>
        <translation>Ein genauerer Blick sagt, welcher Teil des Spiels wartete, worauf und wie lange.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Look closer</source>
        <translation>Genauer hinsehen</translation>
    </message>
    <message>
        <source>Looking closer, but not at the game&apos;s waits for a core: {reason}</source>
        <translation>Genauer hingesehen wird, aber nicht auf das Warten des Spiels auf einen Kern: {reason}</translation>
    </message>
    <message>
        <source>Looking closer: the kernel records what the game&apos;s threads wait for.</source>
        <translation>Es wird genauer hingesehen: Der Kernel zeichnet auf, worauf die Threads des Spiels warten.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Waiting for your password…</source>
        <translation>Warten auf das Passwort…</translation>
    </message>
</context>
<context>
    <name>TracedTable</name>
    <message>
        <source>Show this moment on the live page</source>
        <translation>Diesen Moment auf der Seite „Live“ zeigen</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Mark this moment</source>
        <translation>Moment markieren</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>Messung läuft…</translation>
    </message>
    <message>
        <source>Open Destutter</source>
        <translation>Destutter öffnen</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Record session</source>
        <translation>Sitzung aufnehmen</translation>
    </message>
    <message>
        <source>Show the strip</source>
        <translation>Leiste zeigen</translation>
    </message>
    <message>
        <source>Stop recording</source>
        <translation>Aufnahme stoppen</translation>
    </message>
    <message>
        <source>Undo all changes</source>
        <translation>Alles rückgängig machen</translation>
    </message>
</context>
<context>
    <name>TrialBanner</name>
    <message numerus="yes">
        <source>%n change(s) on trial for as long as {game} runs</source>
        <translation>
            <numerusform>%n Änderung auf Probe, solange {game} läuft</numerusform>
            <numerusform>%n Änderungen auf Probe, solange {game} läuft</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) on trial, reverting in {seconds} seconds</source>
        <translation>
            <numerusform>%n Einstellung auf Probe, Rücknahme in {seconds} Sekunden</numerusform>
            <numerusform>%n Einstellungen auf Probe, Rücknahme in {seconds} Sekunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) on trial.</source>
        <translation>
            <numerusform>%n Einstellung auf Probe.</numerusform>
            <numerusform>%n Einstellungen auf Probe.</numerusform>
        </translation>
    </message>
    <message>
        <source>Another program began this trial and decides what is kept.</source>
        <translation>Ein anderes Programm hat diese Probe begonnen und entscheidet, was behalten wird.</translation>
    </message>
    <message>
        <source>Go back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>If you do nothing, or the computer stops responding, the old values come back by themselves.</source>
        <translation>Geschieht nichts oder reagiert der Rechner nicht mehr, kommen die alten Werte von selbst zurück.</translation>
    </message>
    <message>
        <source>Keep for every start?</source>
        <translation>Für jeden Start behalten?</translation>
    </message>
    <message>
        <source>Keep for every start? Reverting in {time}</source>
        <translation>Für jeden Start behalten? Rücknahme in {time}</translation>
    </message>
    <message>
        <source>Keep these settings? Reverting in {time}</source>
        <translation>Diese Einstellungen behalten? Rücknahme in {time}</translation>
    </message>
    <message>
        <source>Keep until restart</source>
        <translation>Bis zum Neustart behalten</translation>
    </message>
    <message>
        <source>One of these settings may keep the computer from starting. It can be left out at a start with “destutter=off” on the kernel&apos;s command line.</source>
        <translation>Eine dieser Einstellungen kann den Start des Rechners verhindern. Bei einem Start lässt sie sich mit „destutter=off“ in der Kommandozeile des Kernels weglassen.</translation>
    </message>
    <message>
        <source>Revert now</source>
        <translation>Jetzt zurücknehmen</translation>
    </message>
    <message>
        <source>Settings on trial, reverting in {time}</source>
        <translation>Einstellungen auf Probe, Rücknahme in {time}</translation>
    </message>
    <message>
        <source>Stop the trial</source>
        <translation>Probe beenden</translation>
    </message>
    <message>
        <source>The old values come back by themselves when {game} or Destutter ends, and when the computer stops responding.</source>
        <translation>Die alten Werte kommen von selbst zurück, wenn {game} oder Destutter endet oder der Rechner nicht mehr reagiert.</translation>
    </message>
    <message>
        <source>Waiting for your password… The window for it may be behind this one.</source>
        <translation>Warten auf das Passwort… Das Fenster dafür liegt vielleicht hinter diesem.</translation>
    </message>
    <message>
        <source>{count} {rest}</source>
        <translation>{count} {rest}</translation>
    </message>
    <message>
        <source>{time} more</source>
        <translation>{time} mehr</translation>
    </message>
</context>
<context>
    <name>TrialRequests</name>
    <message>
        <source>Copied. Paste it into a terminal.</source>
        <translation>Kopiert. In ein Terminal einfügen.</translation>
    </message>
    <message>
        <source>Copied: {text}</source>
        <translation>Kopiert: {text}</translation>
    </message>
    <message>
        <source>Every change can be undone.</source>
        <translation>Jede Änderung lässt sich rückgängig machen.</translation>
    </message>
    <message>
        <source>No setting helps against this.</source>
        <translation>Dagegen hilft keine Einstellung.</translation>
    </message>
    <message>
        <source>Settings of this computer cannot be read here.</source>
        <translation>Die Einstellungen dieses Rechners lassen sich hier nicht lesen.</translation>
    </message>
    <message>
        <source>The drive itself says that it wakes in {times}</source>
        <translation>Das Laufwerk selbst gibt an, in {times} aufzuwachen</translation>
    </message>
    <message>
        <source>The evidence is too weak to advise a change. It may become clearer with more stutters.</source>
        <translation>Die Belege sind zu schwach, um eine Änderung zu empfehlen. Mit mehr Rucklern wird es vielleicht klarer.</translation>
    </message>
    <message>
        <source>There is no command for this: {reason}</source>
        <translation>Dafür gibt es keinen Befehl: {reason}</translation>
    </message>
</context>
<context>
    <name>TunableDetail</name>
    <message>
        <source>Accepted here</source>
        <translation>Hier zulässig</translation>
    </message>
    <message>
        <source>Advised</source>
        <translation>Empfohlen</translation>
    </message>
    <message>
        <source>After an undo</source>
        <translation>Nach „Rückgängig“</translation>
    </message>
    <message>
        <source>Before Destutter</source>
        <translation>Vor Destutter</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Next start</source>
        <translation>Nächster Start</translation>
    </message>
    <message>
        <source>Not available</source>
        <translation>Nicht verfügbar</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Risk</source>
        <translation>Risiko</translation>
    </message>
    <message>
        <source>Set by</source>
        <translation>Gesetzt von</translation>
    </message>
    <message>
        <source>The kernel takes</source>
        <translation>Der Kernel nimmt</translation>
    </message>
    <message>
        <source>When not</source>
        <translation>Wann nicht</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>{value}, by {file}</source>
        <translation>{value}, durch {file}</translation>
    </message>
</context>
<context>
    <name>TunableTree</name>
    <message>
        <source>Accepted here</source>
        <translation>Hier zulässig</translation>
    </message>
    <message>
        <source>Advised</source>
        <translation>Empfohlen</translation>
    </message>
    <message>
        <source>All settings</source>
        <translation>Alle Einstellungen</translation>
    </message>
    <message>
        <source>New value</source>
        <translation>Neuer Wert</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Set by</source>
        <translation>Gesetzt von</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>the size of the memory is not known</source>
        <translation>die Größe des Arbeitsspeichers ist nicht bekannt</translation>
    </message>
    <message>
        <source>{name}: {why}</source>
        <translation>{name}: {why}</translation>
    </message>
</context>
<context>
    <name>Tunables</name>
    <message>
        <source>Destutter</source>
        <translation>Destutter</translation>
    </message>
    <message>
        <source>Drive {name}</source>
        <translation>Laufwerk {name}</translation>
    </message>
    <message>
        <source>Huge pages</source>
        <translation>Große Seiten</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Arbeitsspeicher</translation>
    </message>
    <message>
        <source>Not here</source>
        <translation>Nicht hier</translation>
    </message>
    <message>
        <source>Power saving of drives</source>
        <translation>Stromsparen der Laufwerke</translation>
    </message>
    <message>
        <source>Processor and kernel threads</source>
        <translation>Prozessor und Kernel-Threads</translation>
    </message>
    <message>
        <source>Unwritten data</source>
        <translation>Ungeschriebene Daten</translation>
    </message>
    <message>
        <source>not in force</source>
        <translation>gilt nicht</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>other, fifo:{low} to fifo:{high}</source>
        <translation>other, fifo:{low} bis fifo:{high}</translation>
    </message>
    <message>
        <source>{low} to {high}</source>
        <translation>{low} bis {high}</translation>
    </message>
    <message>
        <source>{low} to {high} ({unit})</source>
        <comment>a range of numbers and their unit</comment>
        <translation>{low} bis {high} ({unit})</translation>
    </message>
</context>
<context>
    <name>TunablesView</name>
    <message numerus="yes">
        <source>%n change(s) chosen.</source>
        <translation>
            <numerusform>%n Änderung ausgewählt.</numerusform>
            <numerusform>%n Änderungen ausgewählt.</numerusform>
        </translation>
    </message>
    <message>
        <source>A trial is running. Keep it or revert it first.</source>
        <translation>Eine Probe läuft. Zuerst behalten oder zurücknehmen.</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Apply keeps them until the next restart.</source>
        <translation>„Anwenden“ behält sie bis zum nächsten Neustart.</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Enter a new value, or tick a setting that has an advised one.</source>
        <translation>Einen neuen Wert eingeben oder eine Einstellung mit Empfehlung ankreuzen.</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>Einstellungen suchen</translation>
    </message>
    <message>
        <source>Stop waiting</source>
        <translation>Nicht mehr warten</translation>
    </message>
    <message>
        <source>The commands are in the clipboard.</source>
        <translation>Die Befehle sind in der Zwischenablage.</translation>
    </message>
    <message>
        <source>Try for {seconds} seconds</source>
        <translation>{seconds} Sekunden ausprobieren</translation>
    </message>
    <message>
        <source>Waiting for your password… The window for it may be behind this one.</source>
        <translation>Warten auf das Passwort… Das Fenster dafür liegt vielleicht hinter diesem.</translation>
    </message>
    <message>
        <source>What is kept for {game} is set. Revert it to try something else.</source>
        <translation>Was für {game} behalten wird, ist gesetzt. Zurücknehmen, um etwas anderes auszuprobieren.</translation>
    </message>
    <message>
        <source>Without the helper, values can be copied as commands.</source>
        <translation>Ohne den Hilfsdienst lassen sich Werte als Befehle kopieren.</translation>
    </message>
    <message>
        <source>{count} {rest}</source>
        <translation>{count} {rest}</translation>
    </message>
</context>
<context>
    <name>TuningInWindow</name>
    <message numerus="yes">
        <source>%n change(s) for {game}</source>
        <translation>
            <numerusform>%n Änderung für {game}</numerusform>
            <numerusform>%n Änderungen für {game}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n change(s) on trial</source>
        <translation>
            <numerusform>%n Änderung auf Probe</numerusform>
            <numerusform>%n Änderungen auf Probe</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Changes, %n made by Destutter</source>
        <translation>
            <numerusform>Änderungen, %n von Destutter</numerusform>
            <numerusform>Änderungen, %n von Destutter</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo the last change</source>
        <translation>Letzte Änderung rückgängig</translation>
    </message>
</context>
<context>
    <name>VerdictView</name>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>{a} → {b}</source>
        <comment>from a value before to one after</comment>
        <translation>{a} → {b}</translation>
    </message>
</context>
<context>
    <name>WatermarkView</name>
    <message>
        <source>Cost: {size} less memory for programs and files.</source>
        <translation>Kosten: {size} weniger Speicher für Programme und Dateien.</translation>
    </message>
    <message>
        <source>Costs nothing more than now.</source>
        <translation>Kostet nicht mehr als jetzt.</translation>
    </message>
    <message>
        <source>Gain: {size} more memory for programs and files.</source>
        <translation>Gewinn: {size} mehr Speicher für Programme und Dateien.</translation>
    </message>
    <message>
        <source>Lead: {lead}. At a demand of {rate}/s, for example, it lasts {time}.</source>
        <translation>Vorlauf: {lead}. Bei einem Bedarf von zum Beispiel {rate}/s reicht er {time}.</translation>
    </message>
    <message>
        <source>Lead: {lead}. It lasts {time} at the highest demand measured here, {rate}/s.</source>
        <translation>Vorlauf: {lead}. Beim höchsten hier gemessenen Bedarf von {rate}/s reicht er {time}.</translation>
    </message>
    <message>
        <source>{setting}: {share} of each zone</source>
        <translation>{setting}: {share} jeder Zone</translation>
    </message>
    <message>
        <source>{setting}: {value}</source>
        <translation>{setting}: {value}</translation>
    </message>
</context>
<context>
    <name>WelcomeStep</name>
    <message>
        <source>Administrator password</source>
        <translation>Administratorpasswort</translation>
    </message>
    <message>
        <source>Asked for only to set up the helper or to change a setting. Measuring works without.</source>
        <translation>Nur gefragt, um den Hilfsdienst einzurichten oder eine Einstellung zu ändern. Messen geht ohne.</translation>
    </message>
    <message>
        <source>Destutter measures in the background and shows what that costs.</source>
        <translation>Destutter misst im Hintergrund und zeigt, wie viel Leistung das kostet.</translation>
    </message>
    <message>
        <source>Each one comes with the evidence, so you can judge it yourself.</source>
        <translation>Jede kommt mit den Belegen, um sie selbst beurteilen zu können.</translation>
    </message>
    <message>
        <source>Every change can be undone, exactly, with one click.</source>
        <translation>Jede Änderung lässt sich genau und mit einem Klick rückgängig machen.</translation>
    </message>
    <message>
        <source>Find out why your game stutters</source>
        <translation>Herausfinden, warum das Spiel ruckelt</translation>
    </message>
    <message>
        <source>Play for {minutes} minutes</source>
        <translation>{minutes} Minuten spielen</translation>
    </message>
    <message>
        <source>See the causes in plain language</source>
        <translation>Die Ursachen in einfachen Worten sehen</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>This takes about {minutes} minutes, most of it playing. Nothing is changed until you say so.</source>
        <translation>Das dauert etwa {minutes} Minuten, das meiste davon ist Spielen. Ohne Zustimmung wird nichts geändert.</translation>
    </message>
    <message>
        <source>Try changes safely</source>
        <translation>Änderungen sicher ausprobieren</translation>
    </message>
</context>
<context>
    <name>XPlaneView</name>
    <message>
        <source>Address of X-Plane, HOST:PORT</source>
        <translation>Adresse von X-Plane, HOST:PORT</translation>
    </message>
    <message>
        <source>An address is like {example}.</source>
        <translation>Eine Adresse sieht so aus: {example}.</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Connect X-Plane…</source>
        <translation>X-Plane verbinden…</translation>
    </message>
    <message>
        <source>Forget this address</source>
        <translation>Adresse vergessen</translation>
    </message>
    <message>
        <source>X-Plane on this computer is found by itself as soon as it runs. On another computer, or when it is not found, connect it by its address.</source>
        <translation>X-Plane auf diesem Rechner wird von selbst gefunden, sobald es läuft. Auf einem anderen Rechner, oder wenn es nicht gefunden wird, verbinden Sie es über seine Adresse.</translation>
    </message>
</context>
<context>
    <name>ZoneBars</name>
    <message>
        <source>Marks of each memory zone</source>
        <translation>Marken jeder Speicherzone</translation>
    </message>
    <message>
        <source>min {min} · low {low} · high {high}</source>
        <translation>min {min} · low {low} · high {high}</translation>
    </message>
    <message>
        <source>{zone}: min {min}, low {low}, high {high}</source>
        <translation>{zone}: min {min}, low {low}, high {high}</translation>
    </message>
</context>
<context>
    <name>_Editor</name>
    <message>
        <source>New value of {setting}</source>
        <translation>Neuer Wert: {setting}</translation>
    </message>
</context>
<context>
    <name>_NoticeRow</name>
    <message>
        <source>Close: {text}</source>
        <translation>Schließen: {text}</translation>
    </message>
</context>
</TS>
