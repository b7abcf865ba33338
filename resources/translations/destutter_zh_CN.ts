<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>ActionBar</name>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message numerus="yes">
        <source>Apply %n change(s)</source>
        <translation>
            <numerusform>应用 %n 项更改</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Changing the settings…</source>
        <translation>正在更改设置…</translation>
    </message>
    <message>
        <source>Try for {seconds} seconds</source>
        <translation>试用 {seconds} 秒</translation>
    </message>
    <message>
        <source>Waiting for your password…</source>
        <translation>正在等待输入密码…</translation>
    </message>
    <message>
        <source>Waiting for your password… Look for the password window; it may be behind this one.</source>
        <translation>正在等待输入密码… 请查找密码窗口；它可能在此窗口后面。</translation>
    </message>
</context>
<context>
    <name>Advice</name>
    <message>
        <source>Add this to the kernel&apos;s command line in the boot loader, then restart:</source>
        <translation>在引导加载程序中将以下内容加到内核命令行，然后重启：</translation>
    </message>
    <message>
        <source>Bring its package up to date, or run &apos;destutter update-helper&apos; of the AppImage.</source>
        <translation>请更新其软件包，或运行 AppImage 的“destutter update-helper”。</translation>
    </message>
    <message>
        <source>Bring its package up to date, or run &apos;make install-helper&apos; again.</source>
        <translation>请更新其软件包，或再次运行“make install-helper”。</translation>
    </message>
    <message>
        <source>Connect your game</source>
        <translation>连接您的游戏</translation>
    </message>
    <message>
        <source>Copy launch options</source>
        <translation>复制启动选项</translation>
    </message>
    <message>
        <source>Copy the variable</source>
        <translation>复制变量</translation>
    </message>
    <message>
        <source>Destutter measures and explains without the helper.</source>
        <translation>没有辅助服务，Destutter 也能测量和解释。</translation>
    </message>
    <message>
        <source>Elsewhere, run this in the folder of Destutter&apos;s source code:</source>
        <translation>在其他系统上，请在 Destutter 源代码的文件夹中运行：</translation>
    </message>
    <message>
        <source>Elsewhere, the AppImage of Destutter sets it up:</source>
        <translation>在其他系统上，由 Destutter 的 AppImage 安装：</translation>
    </message>
    <message>
        <source>Everything else is measured without it.</source>
        <translation>没有它，其余各项仍会测量。</translation>
    </message>
    <message>
        <source>In Heroic: the game&apos;s settings, switch MangoHud on, and add the environment variable:</source>
        <translation>在 Heroic 中：打开游戏的设置，启用 MangoHud，并添加此环境变量：</translation>
    </message>
    <message>
        <source>In Lutris: right-click the game, Configure, System options. Switch the FPS counter (MangoHud) on, and add the environment variable:</source>
        <translation>在 Lutris 中：右键单击游戏，选择配置、系统选项。启用 FPS 计数器（MangoHud），并添加此环境变量：</translation>
    </message>
    <message>
        <source>In Steam: right-click the game, Properties, Launch options:</source>
        <translation>在 Steam 中：右键单击游戏，选择属性、启动选项：</translation>
    </message>
    <message>
        <source>Installing it would not help: ordinary desktops have that bus; a container, or a system without systemd or D-Bus, may not. Every cause has commands to copy instead.</source>
        <translation>安装它也没有用：普通桌面都有这条总线；容器，或没有 systemd 或 D-Bus 的系统可能没有。每个原因都另有可复制的命令。</translation>
    </message>
    <message>
        <source>It does not say from where it runs.</source>
        <translation>它没有说明从何处运行。</translation>
    </message>
    <message>
        <source>It is part of this AppImage. It is put into /opt/destutter and /etc (where polkit is older, its list of actions into /usr/share), after the password of an administrator. Once it is there, a button of Settings takes it away again.</source>
        <translation>它是此 AppImage 的一部分。输入管理员密码后会放入 /opt/destutter 和 /etc（polkit 较旧时，其操作列表放入 /usr/share）。装好之后，“设置”中的按钮可以再将它移除。</translation>
    </message>
    <message>
        <source>It is started from a development tree:</source>
        <translation>它从开发目录启动：</translation>
    </message>
    <message>
        <source>It was put there by a package or &apos;make install-helper&apos;:</source>
        <translation>它由软件包或“make install-helper”安装：</translation>
    </message>
    <message>
        <source>Not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>On Debian and Ubuntu, install its package:</source>
        <translation>在 Debian 和 Ubuntu 上，请安装其软件包：</translation>
    </message>
    <message>
        <source>Run this in a terminal; it asks for your password:</source>
        <translation>请在终端中运行这一行；它会询问您的密码：</translation>
    </message>
    <message>
        <source>The AppImage has set it up:</source>
        <translation>它由 AppImage 设置：</translation>
    </message>
    <message>
        <source>The Flatpak uses the helper of this computer, which it cannot install by itself. In a terminal, on Debian and Ubuntu, install its package:</source>
        <translation>Flatpak 使用本机的辅助服务，但不能自行安装它。在 Debian 和 Ubuntu 上，请在终端中安装其软件包：</translation>
    </message>
    <message>
        <source>The helper</source>
        <translation>辅助服务</translation>
    </message>
    <message>
        <source>The helper is a small system service that changes kernel settings on trial and takes them back.</source>
        <translation>辅助服务是一个小型系统服务，它试用内核设置的更改，也能将其恢复。</translation>
    </message>
    <message>
        <source>The kernel can count how long programs wait for memory, disk and processor. This kernel was started without it.</source>
        <translation>内核可以统计程序等待内存、磁盘和处理器的时间。此内核启动时未开启该功能。</translation>
    </message>
    <message>
        <source>The newer AppImage brings it up to date: &apos;destutter update-helper&apos;.</source>
        <translation>较新的 AppImage 可更新它：“destutter update-helper”。</translation>
    </message>
    <message>
        <source>Through it the game and other programs are seen, too, which the Flatpak&apos;s sandbox hides.</source>
        <translation>通过它还能看到被 Flatpak 沙盒隐藏的游戏和其他程序。</translation>
    </message>
    <message>
        <source>Turn on pressure (PSI)</source>
        <translation>开启压力（PSI）</translation>
    </message>
    <message>
        <source>Version {version}. It fits this program.</source>
        <translation>版本 {version}。它与此程序匹配。</translation>
    </message>
    <message>
        <source>Version {version}. It is newer than this program, which knows {own}: it works, and what is new in it is not shown. Bring this program up to date.</source>
        <translation>版本 {version}。它比此程序（所知版本 {own}）新：可以使用，但不显示其新内容。请更新此程序。</translation>
    </message>
    <message>
        <source>Version {version}. It is older than this program, which knows {own}: it works, and refuses what it does not know yet.</source>
        <translation>版本 {version}。它比此程序（所知版本 {own}）旧：可以使用，但会拒绝它尚不了解的内容。</translation>
    </message>
    <message>
        <source>{what}: {why}</source>
        <translation>{what}：{why}</translation>
    </message>
</context>
<context>
    <name>ArrivingFrames</name>
    <message>
        <source>Frames arrive: {count} a second, told by {tool}</source>
        <translation>正在收到帧：每秒 {count} 帧，由 {tool} 报告</translation>
    </message>
    <message>
        <source>Waiting for X-Plane at {address}…</source>
        <translation>正在等待位于 {address} 的 X-Plane…</translation>
    </message>
    <message>
        <source>Waiting for the first frame…</source>
        <translation>正在等待第一帧…</translation>
    </message>
    <message>
        <source>Waiting for the next frame…</source>
        <translation>正在等待下一帧…</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Its first measurements come within some seconds.</source>
        <translation>它的首批测量结果会在几秒内出现。</translation>
    </message>
    <message>
        <source>Looking at {name}…</source>
        <translation>正在查看 {name}…</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>正在测量…</translation>
    </message>
    <message>
        <source>Record this as a baseline</source>
        <translation>将此录制为基准</translation>
    </message>
    <message>
        <source>Show the stutters</source>
        <translation>显示卡顿</translation>
    </message>
    <message>
        <source>Show what is missing</source>
        <translation>显示缺少什么</translation>
    </message>
    <message>
        <source>Show what is possible</source>
        <translation>显示可能的原因</translation>
    </message>
    <message>
        <source>The measuring process starts.</source>
        <translation>测量进程正在启动。</translation>
    </message>
    <message>
        <source>The recording ended by itself</source>
        <translation>录制已自行结束</translation>
    </message>
</context>
<context>
    <name>CauseCard</name>
    <message>
        <source>{cause}: {mark}, {share}</source>
        <translation>{cause}：{mark}，{share}</translation>
    </message>
</context>
<context>
    <name>CauseDetail</name>
    <message>
        <source>Details for experts</source>
        <translation>给专家的详情</translation>
    </message>
    <message>
        <source>It only came with: {cause}</source>
        <translation>它只是伴随出现：{cause}</translation>
    </message>
    <message>
        <source>Slowest requests to drives</source>
        <translation>最慢的驱动器请求</translation>
    </message>
    <message>
        <source>Source: {text}</source>
        <translation>来源：{text}</translation>
    </message>
    <message>
        <source>Waits of the game&apos;s threads</source>
        <translation>游戏线程的等待</translation>
    </message>
    <message>
        <source>What else helps</source>
        <translation>其他有帮助的做法</translation>
    </message>
    <message>
        <source>What to change</source>
        <translation>可以更改什么</translation>
    </message>
    <message>
        <source>What was measured</source>
        <translation>测量到什么</translation>
    </message>
    <message>
        <source>Which program it was could not be seen.</source>
        <translation>无法看到是哪个程序。</translation>
    </message>
    <message>
        <source>Who did it</source>
        <translation>由谁造成</translation>
    </message>
    <message>
        <source>Why this happens</source>
        <translation>为何发生</translation>
    </message>
</context>
<context>
    <name>CauseList</name>
    <message>
        <source>Causes, the most likely first</source>
        <translation>原因，可能性最大的在前</translation>
    </message>
</context>
<context>
    <name>CauseMenu</name>
    <message>
        <source>Cause {text}</source>
        <translation>原因 {text}</translation>
    </message>
    <message>
        <source>{cause} — {share}</source>
        <translation>{cause} — {share}</translation>
    </message>
    <message>
        <source>{number} of {count}: {line}</source>
        <translation>{number}/{count}：{line}</translation>
    </message>
</context>
<context>
    <name>CauseView</name>
    <message numerus="yes">
        <source>In {count} of %n stutter(s) it worked for most of the time.</source>
        <translation>
            <numerusform>%n 次卡顿中有 {count} 次，大部分时间是它自己在运算。</numerusform>
        </translation>
    </message>
    <message>
        <source>Set up the helper</source>
        <translation>安装辅助服务</translation>
    </message>
    <message>
        <source>The game itself took the time</source>
        <translation>时间花在游戏自身</translation>
    </message>
    <message>
        <source>What you can do</source>
        <translation>您可以做什么</translation>
    </message>
    <message>
        <source>Who did it</source>
        <translation>由谁造成</translation>
    </message>
</context>
<context>
    <name>Causes</name>
    <message numerus="yes">
        <source>%n frame(s) at {hertz} Hz</source>
        <translation>
            <numerusform>{hertz} Hz 下 %n 帧</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stutter(s) seen.</source>
        <translation>
            <numerusform>发现 %n 次卡顿。</numerusform>
        </translation>
    </message>
    <message>
        <source>Also seen</source>
        <translation>另外看到</translation>
    </message>
    <message>
        <source>Also seen, not shown to be the cause</source>
        <translation>另外看到，未证实是原因</translation>
    </message>
    <message>
        <source>Another program has changes on trial. Wait until they end.</source>
        <translation>另一个程序正在试用更改。请等待其结束。</translation>
    </message>
    <message>
        <source>Asks for your password once. Lasts until restart; every change can be undone.</source>
        <translation>需要输入一次密码。持续到重启；每项更改都可以撤销。</translation>
    </message>
    <message>
        <source>Asks for your password. The trial ends with {game}, and the old values come back by themselves.</source>
        <translation>会询问密码。试用随 {game} 结束，旧值会自动恢复。</translation>
    </message>
    <message>
        <source>Came with it</source>
        <translation>伴随出现</translation>
    </message>
    <message>
        <source>Causes appear here after the first seconds of measuring.</source>
        <translation>测量几秒之后，原因会显示在这里。</translation>
    </message>
    <message>
        <source>Changes are on trial. Stop the trial or keep them at the top first.</source>
        <translation>更改正在试用。请先在上方停止试用或保留更改。</translation>
    </message>
    <message>
        <source>Confidence: {word}</source>
        <translation>可信度：{word}</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>较早</translation>
    </message>
    <message>
        <source>Earlier, none in the last {minutes} minutes</source>
        <translation>较早，最近 {minutes} 分钟内没有</translation>
    </message>
    <message>
        <source>Evidence: hiccup at {time}, {length}</source>
        <translation>证据：{time} 的停顿，{length}</translation>
    </message>
    <message>
        <source>Evidence: strongest at {time}</source>
        <translation>证据：最强时刻 {time}</translation>
    </message>
    <message>
        <source>Evidence: strongest at {time}, no stutter then</source>
        <translation>证据：最强时刻 {time}，当时没有卡顿</translation>
    </message>
    <message>
        <source>Evidence: stutter at {time}, {length}</source>
        <translation>证据：{time} 的卡顿，{length}</translation>
    </message>
    <message>
        <source>Go to Live</source>
        <translation>转到“实时”</translation>
    </message>
    <message>
        <source>Hiccups explained</source>
        <translation>已解释的停顿</translation>
    </message>
    <message>
        <source>Hitches</source>
        <translation>小顿挫</translation>
    </message>
    <message>
        <source>Hitches explained</source>
        <translation>已解释的小顿挫</translation>
    </message>
    <message>
        <source>Longest hiccup</source>
        <translation>最长的停顿</translation>
    </message>
    <message>
        <source>Longest hitch</source>
        <translation>最长的小顿挫</translation>
    </message>
    <message>
        <source>Longest stutter</source>
        <translation>最长的卡顿</translation>
    </message>
    <message>
        <source>Looking for the helper…</source>
        <translation>正在查找辅助服务…</translation>
    </message>
    <message>
        <source>Lost time</source>
        <translation>损失的时间</translation>
    </message>
    <message>
        <source>No cause stands out</source>
        <translation>没有突出的原因</translation>
    </message>
    <message>
        <source>Nothing measured yet</source>
        <translation>尚未测量到任何数据</translation>
    </message>
    <message>
        <source>Nothing points to this group: {group}</source>
        <translation>没有迹象指向此组：{group}</translation>
    </message>
    <message>
        <source>Possible</source>
        <translation>可能</translation>
    </message>
    <message>
        <source>Settings cannot be changed by a click here. For experts: the commands.</source>
        <translation>此处无法通过单击更改设置。供专家使用：相应命令。</translation>
    </message>
    <message>
        <source>Show all causes</source>
        <translation>显示全部原因</translation>
    </message>
    <message>
        <source>Start a game, or watch the whole computer. What makes it stutter is named here.</source>
        <translation>启动一个游戏，或监视整台计算机。造成卡顿的原因会在这里列出。</translation>
    </message>
    <message>
        <source>Stutters explained</source>
        <translation>已解释的卡顿</translation>
    </message>
    <message>
        <source>The helper does not fit this program: {reason}</source>
        <translation>辅助服务与此程序不匹配：{reason}</translation>
    </message>
    <message>
        <source>The helper does not work: {reason}</source>
        <translation>辅助服务无法工作：{reason}</translation>
    </message>
    <message>
        <source>The helper is not installed. Destutter can measure and explain without it.</source>
        <translation>未安装辅助服务。没有它，Destutter 也能测量和解释。</translation>
    </message>
    <message>
        <source>This recording is from another computer, so nothing can be applied here. The commands are for that one.</source>
        <translation>此录制来自另一台计算机，因此无法在这里应用任何更改。这些命令适用于那台计算机。</translation>
    </message>
    <message>
        <source>Tick what you want to change.</source>
        <translation>勾选要更改的项目。</translation>
    </message>
    <message>
        <source>What is kept for {game} is set while it runs. Take it back on the page Changes to try something else.</source>
        <translation>为 {game} 保留的设置在其运行期间生效。要试用其他设置，请先在“更改”页面还原。</translation>
    </message>
    <message>
        <source>What is not measured</source>
        <translation>哪些未测量</translation>
    </message>
    <message>
        <source>What the game waited for at them could not be seen.</source>
        <translation>无法看到游戏当时在等待什么。</translation>
    </message>
    <message>
        <source>What was found in it is shown when it is read.</source>
        <translation>读完之后，这里显示其中发现的原因。</translation>
    </message>
    <message>
        <source>at {time}, counts from {value}</source>
        <translation>{time}，从 {value} 起计入</translation>
    </message>
    <message>
        <source>in the last {minutes} minutes</source>
        <translation>在过去 {minutes} 分钟内</translation>
    </message>
    <message>
        <source>in the part that was played</source>
        <translation>在已播放的部分中</translation>
    </message>
    <message>
        <source>moments with frames {least} or more too late</source>
        <translation>出现晚了 {least} 或更多的帧的时刻</translation>
    </message>
    <message>
        <source>most of what was lost</source>
        <translation>占全部损失的大部分</translation>
    </message>
    <message>
        <source>since the game started</source>
        <translation>自游戏启动以来</translation>
    </message>
    <message>
        <source>too late</source>
        <translation>太晚</translation>
    </message>
    <message>
        <source>{counted} {detail}</source>
        <translation>{counted}{detail}</translation>
    </message>
    <message>
        <source>{explained} of {total}</source>
        <translation>{explained}/{total}</translation>
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
            <numerusform>最近 {minutes} 分钟内 %n 次卡顿中有 {count} 次已知原因</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A cause is known for {count} of %n stutter(s) since the game started</source>
        <translation>
            <numerusform>自游戏启动以来 %n 次卡顿中有 {count} 次已知原因</numerusform>
        </translation>
    </message>
    <message>
        <source>Causes</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Measuring stopped. This is what was found until then.</source>
        <translation>测量已停止。以下是此前的发现。</translation>
    </message>
    <message>
        <source>Only causes of the group {group}</source>
        <translation>只显示此组的原因：{group}</translation>
    </message>
    <message>
        <source>Recording {name}</source>
        <translation>录制 {name}</translation>
    </message>
    <message>
        <source>Show all causes</source>
        <translation>显示全部原因</translation>
    </message>
    <message>
        <source>What made the game stutter, ranked by the time that it cost</source>
        <translation>造成游戏卡顿的原因，按损失的时间排列</translation>
    </message>
    <message>
        <source>What made the game that ran before stutter</source>
        <translation>之前运行的游戏卡顿的原因</translation>
    </message>
</context>
<context>
    <name>ChangeRow</name>
    <message>
        <source>Keep the present value of {setting}</source>
        <translation>保留 {setting} 的当前值</translation>
    </message>
    <message>
        <source>Keep {value}</source>
        <translation>保留 {value}</translation>
    </message>
    <message>
        <source>Not changed: {reason}</source>
        <translation>未更改：{reason}</translation>
    </message>
    <message>
        <source>Restore the original value of {setting}</source>
        <translation>恢复 {setting} 的原值</translation>
    </message>
    <message>
        <source>Restore {value}</source>
        <translation>恢复 {value}</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Takes back everything that is on trial</source>
        <translation>恢复所有正在试用的更改</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo {setting}</source>
        <translation>撤销 {setting}</translation>
    </message>
</context>
<context>
    <name>ChangeTable</name>
    <message>
        <source>Changed by</source>
        <translation>更改者</translation>
    </message>
    <message>
        <source>Lasts</source>
        <translation>持续时间</translation>
    </message>
    <message>
        <source>Original and now</source>
        <translation>原值与当前值</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>Changes</name>
    <message numerus="yes">
        <source>%n setting(s) changed by something else</source>
        <translation>
            <numerusform>%n 项设置被其他程序更改</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) kept for every start</source>
        <translation>
            <numerusform>%n 项设置在每次启动时保留</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) kept until the restart</source>
        <translation>
            <numerusform>%n 项设置保留至重启</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) left as found</source>
        <translation>
            <numerusform>%n 项设置保持原样</numerusform>
        </translation>
    </message>
    <message>
        <source>A note of the helper</source>
        <translation>辅助服务的提示</translation>
    </message>
    <message>
        <source>A value that was undone is back</source>
        <translation>已撤销的值又回来了</translation>
    </message>
    <message>
        <source>Another program took it for the original and set it again: {settings}.</source>
        <translation>另一个程序把它当作原值并再次设置：{settings}。</translation>
    </message>
    <message>
        <source>Applied</source>
        <translation>已应用</translation>
    </message>
    <message>
        <source>Applied: {what}</source>
        <translation>已应用：{what}</translation>
    </message>
    <message>
        <source>Before: {value}</source>
        <translation>之前：{value}</translation>
    </message>
    <message>
        <source>Changed by something else</source>
        <translation>被其他程序更改</translation>
    </message>
    <message>
        <source>Changed since</source>
        <translation>此后被更改</translation>
    </message>
    <message>
        <source>Changes are not possible now</source>
        <translation>现在无法更改</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Destutter</source>
        <translation>Destutter</translation>
    </message>
    <message>
        <source>Every start</source>
        <translation>每次启动</translation>
    </message>
    <message>
        <source>In force</source>
        <translation>已生效</translation>
    </message>
    <message>
        <source>In the system</source>
        <translation>系统中的名称</translation>
    </message>
    <message>
        <source>It has the recommended value already.</source>
        <translation>它已经是建议的值。</translation>
    </message>
    <message>
        <source>It starts with the values that everything else has.</source>
        <translation>它将以平常的值启动。</translation>
    </message>
    <message>
        <source>It was taken back elsewhere.</source>
        <translation>已在别处恢复。</translation>
    </message>
    <message>
        <source>Its time was over.</source>
        <translation>时间已到。</translation>
    </message>
    <message>
        <source>Its values were kept elsewhere.</source>
        <translation>其值已在别处保留。</translation>
    </message>
    <message>
        <source>Keep what is there now, or restore the value from before.</source>
        <translation>保留现在的值，或恢复之前的值。</translation>
    </message>
    <message>
        <source>Kept for {game}</source>
        <translation>已为 {game} 保留</translation>
    </message>
    <message>
        <source>No better value is known for this computer.</source>
        <translation>对这台计算机没有已知的更好的值。</translation>
    </message>
    <message>
        <source>Not changed: {reason}</source>
        <translation>未更改：{reason}</translation>
    </message>
    <message>
        <source>Not possible here</source>
        <translation>在此无法更改</translation>
    </message>
    <message>
        <source>Not when</source>
        <translation>不适用的情况</translation>
    </message>
    <message>
        <source>Nothing is kept for {game} any more</source>
        <translation>不再为 {game} 保留任何设置</translation>
    </message>
    <message>
        <source>Nothing is left to undo</source>
        <translation>没有可撤销的更改了</translation>
    </message>
    <message>
        <source>Nothing to change</source>
        <translation>无需更改</translation>
    </message>
    <message>
        <source>Now {now}. Something else changed it since.</source>
        <translation>当前为 {now}。此后被其他程序更改。</translation>
    </message>
    <message>
        <source>Now {now}; Destutter set {ours} ({when}). Something changed it since.</source>
        <translation>当前为 {now}；Destutter 设为 {ours}（{when}）。此后被更改。</translation>
    </message>
    <message>
        <source>Now {now}; Destutter set {ours}. Something changed it since.</source>
        <translation>当前为 {now}；Destutter 设为 {ours}。此后被更改。</translation>
    </message>
    <message>
        <source>Offered</source>
        <translation>可选</translation>
    </message>
    <message>
        <source>On trial</source>
        <translation>正在试用</translation>
    </message>
    <message>
        <source>On trial. It goes back by itself unless it is kept.</source>
        <translation>正在试用。若不保留，它会自行恢复。</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Set at every start of the computer. The page Changes undoes it.</source>
        <translation>计算机每次启动时都会设置。可在“更改”页面撤销。</translation>
    </message>
    <message>
        <source>Set each time it runs while Destutter does, in the background too, without a password; taken back when it ends. Settings starts Destutter with the desktop; the page Changes removes what is kept.</source>
        <translation>每次它在 Destutter 运行期间（包括在后台）启动时自动设置，无需密码；结束时还原。“设置”可让 Destutter 随桌面启动；可在“更改”页面移除已保留的设置。</translation>
    </message>
    <message>
        <source>Something else changed it since Destutter set it.</source>
        <translation>Destutter 设置之后，它被其他程序更改。</translation>
    </message>
    <message>
        <source>Something else has changed since: {settings}. Decide below.</source>
        <translation>此后被其他程序更改：{settings}。请在下方决定。</translation>
    </message>
    <message>
        <source>The computer or the helper was shut down.</source>
        <translation>计算机或辅助服务已关闭。</translation>
    </message>
    <message>
        <source>The game has ended.</source>
        <translation>游戏已结束。</translation>
    </message>
    <message>
        <source>The helper can change settings.</source>
        <translation>辅助服务可以更改设置。</translation>
    </message>
    <message>
        <source>The helper cannot use its journal.</source>
        <translation>辅助服务无法使用其日志。</translation>
    </message>
    <message>
        <source>The kernel took no other value: {settings}. See below.</source>
        <translation>内核未接受其他值：{settings}。见下方。</translation>
    </message>
    <message>
        <source>The last trial was undone automatically: {when}</source>
        <translation>上次试用已自动撤销：{when}</translation>
    </message>
    <message>
        <source>The program that began it let go of it.</source>
        <translation>开始试用的程序已放弃它。</translation>
    </message>
    <message>
        <source>The program that began it, or the helper, ended.</source>
        <translation>开始试用的程序或辅助服务已终止。</translation>
    </message>
    <message>
        <source>The trial ended</source>
        <translation>试用已结束</translation>
    </message>
    <message>
        <source>The trial ended and the old values are back</source>
        <translation>试用已结束，旧值已恢复</translation>
    </message>
    <message>
        <source>The trial was taken back</source>
        <translation>试用的更改已恢复</translation>
    </message>
    <message>
        <source>The values from before are back.</source>
        <translation>之前的值已恢复。</translation>
    </message>
    <message>
        <source>Today {time}</source>
        <translation>今天 {time}</translation>
    </message>
    <message>
        <source>Trial</source>
        <translation>试用</translation>
    </message>
    <message>
        <source>Trial, {time}</source>
        <translation>试用，{time}</translation>
    </message>
    <message numerus="yes">
        <source>Undid %n change(s)</source>
        <translation>
            <numerusform>已撤销 %n 项更改</numerusform>
        </translation>
    </message>
    <message>
        <source>Until restart</source>
        <translation>至重启</translation>
    </message>
    <message>
        <source>What can go wrong</source>
        <translation>可能出现的问题</translation>
    </message>
    <message>
        <source>What it costs</source>
        <translation>代价</translation>
    </message>
    <message>
        <source>While {game} runs</source>
        <translation>{game} 运行期间</translation>
    </message>
    <message>
        <source>Who set the present value</source>
        <translation>当前值由谁设置</translation>
    </message>
    <message>
        <source>Why this value</source>
        <translation>为何是这个值</translation>
    </message>
    <message>
        <source>Yesterday {time}</source>
        <translation>昨天 {time}</translation>
    </message>
    <message>
        <source>You, with Destutter</source>
        <translation>当前用户（通过 Destutter）</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <comment>pattern of a date, in the letters of Qt</comment>
        <translation>yyyy年M月d日</translation>
    </message>
    <message>
        <source>set by {who}</source>
        <translation>由 {who} 设置</translation>
    </message>
    <message>
        <source>{headline}. {detail}</source>
        <translation>{headline}。{detail}</translation>
    </message>
    <message>
        <source>{share} of memory</source>
        <translation>内存的 {share}</translation>
    </message>
    <message>
        <source>{user}, with Destutter</source>
        <translation>{user}（通过 Destutter）</translation>
    </message>
</context>
<context>
    <name>ChangesPage</name>
    <message>
        <source>All settings</source>
        <translation>全部设置</translation>
    </message>
    <message>
        <source>Changed by Destutter</source>
        <translation>Destutter 所做的更改</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>Every setting that can cause or cure stutter: what it is now and who set it</source>
        <translation>可能引起或消除卡顿的所有设置：当前的值以及由谁设置</translation>
    </message>
    <message>
        <source>Everything Destutter has changed on this computer, and how to take it back</source>
        <translation>Destutter 在这台计算机上所做的全部更改，以及如何恢复</translation>
    </message>
    <message>
        <source>Make the change again that was undone</source>
        <translation>重做已撤销的更改</translation>
    </message>
    <message>
        <source>Undo all changes</source>
        <translation>撤销全部更改</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
</context>
<context>
    <name>ChangesView</name>
    <message>
        <source>Ask again</source>
        <translation>重新查询</translation>
    </message>
    <message>
        <source>Destutter can measure and explain without it. To change settings with one click, install the helper. Until then, every cause offers commands that can be copied.</source>
        <translation>没有它，Destutter 也能测量和解释。要一键更改设置，请安装辅助服务。在此之前，每个原因都提供可复制的命令。</translation>
    </message>
    <message>
        <source>Forget the journal</source>
        <translation>忘记该日志</translation>
    </message>
    <message>
        <source>Go to Causes</source>
        <translation>转到“原因”</translation>
    </message>
    <message>
        <source>No setting of this computer is changed by Destutter now.</source>
        <translation>目前这台计算机上没有由 Destutter 更改的设置。</translation>
    </message>
    <message>
        <source>Not asked</source>
        <translation>未查询</translation>
    </message>
    <message>
        <source>Nothing changed</source>
        <translation>没有更改</translation>
    </message>
    <message>
        <source>Nothing is known yet of what was changed on this computer.</source>
        <translation>尚不知道这台计算机上有哪些更改。</translation>
    </message>
    <message>
        <source>Settings cannot be changed by a click here</source>
        <translation>此处无法通过点击更改设置</translation>
    </message>
    <message>
        <source>Show all settings</source>
        <translation>显示全部设置</translation>
    </message>
    <message>
        <source>The helper cannot use its journal, so it changes nothing more. What Destutter had set stays until the computer restarts. To go on before that, let the helper forget the journal.</source>
        <translation>辅助服务无法使用其日志，因此不再更改任何设置。Destutter 之前的设置会保留到计算机重启。如需在此之前继续，可让辅助服务忘记该日志。</translation>
    </message>
    <message>
        <source>The helper does not fit this program</source>
        <translation>辅助服务与此程序不匹配</translation>
    </message>
    <message>
        <source>The helper does not work</source>
        <translation>辅助服务无法工作</translation>
    </message>
    <message>
        <source>The helper is not installed</source>
        <translation>未安装辅助服务</translation>
    </message>
    <message>
        <source>Undo restores every value. {notes}</source>
        <translation>撤销会恢复每一个值。{notes}</translation>
    </message>
    <message>
        <source>What was changed is not known</source>
        <translation>不清楚更改了什么</translation>
    </message>
    <message>
        <source>{reason} Everything is measured without it, and every cause has commands to copy.</source>
        <translation>{reason}没有它也能测量一切，每个原因都有可复制的命令。</translation>
    </message>
    <message>
        <source>{reason} Install the same version of both.</source>
        <translation>{reason}请为两者安装相同的版本。</translation>
    </message>
</context>
<context>
    <name>CheckStep</name>
    <message>
        <source>All {count} are ready.</source>
        <translation>全部 {count} 项均已就绪。</translation>
    </message>
    <message>
        <source>Back to the list</source>
        <translation>返回列表</translation>
    </message>
    <message>
        <source>Not here</source>
        <translation>此处没有</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Set up: {what}</source>
        <translation>设置：{what}</translation>
    </message>
    <message>
        <source>Set up…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>The first result takes a few seconds.</source>
        <translation>首个结果需要几秒钟。</translation>
    </message>
    <message>
        <source>What can be measured here</source>
        <translation>这里可以测量什么</translation>
    </message>
    <message>
        <source>{ready} of {count} are ready. You can go on without the others.</source>
        <translation>{count} 项中有 {ready} 项就绪。没有其余各项也可以继续。</translation>
    </message>
</context>
<context>
    <name>ChoiceRow</name>
    <message>
        <source>Risk: {word}</source>
        <translation>风险：{word}</translation>
    </message>
    <message>
        <source>Why: {title}</source>
        <translation>为何：{title}</translation>
    </message>
    <message>
        <source>Why?</source>
        <translation>为何？</translation>
    </message>
</context>
<context>
    <name>ChooseStep</name>
    <message>
        <source>A setting helps</source>
        <translation>有一项设置有帮助</translation>
    </message>
    <message>
        <source>A setting helps; Destutter changes it with its helper.</source>
        <translation>有一项设置有帮助；Destutter 通过其辅助服务更改它。</translation>
    </message>
    <message numerus="yes">
        <source>Acts on the cause of {count} of %n stutter(s).</source>
        <translation>
            <numerusform>针对 %n 次卡顿中 {count} 次的原因。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Apply %n change(s)</source>
        <translation>
            <numerusform>应用 %n 项更改</numerusform>
        </translation>
    </message>
    <message>
        <source>Back to the advice</source>
        <translation>返回建议</translation>
    </message>
    <message>
        <source>Choose what to try</source>
        <translation>选择要试用的更改</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Copy as commands</source>
        <translation>复制为命令</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Do that or try the changes, not both at once: else no comparison tells which helped.</source>
        <translation>要么这样做，要么试用这些更改，不要同时进行：否则对比说明不了是哪一个起了作用。</translation>
    </message>
    <message>
        <source>From {old} to {new}.</source>
        <translation>从 {old} 改为 {new}。</translation>
    </message>
    <message>
        <source>Go back to record again.</source>
        <translation>返回即可重新录制。</translation>
    </message>
    <message>
        <source>If that is not enough: {setting}</source>
        <translation>如果还不够：{setting}</translation>
    </message>
    <message>
        <source>It has its present value from {file}.</source>
        <translation>其当前值来自 {file}。</translation>
    </message>
    <message>
        <source>It has this value already.</source>
        <translation>它已经是这个值。</translation>
    </message>
    <message>
        <source>It lasts as long as {game} runs.</source>
        <translation>{game} 运行期间有效。</translation>
    </message>
    <message>
        <source>It lasts until restart.</source>
        <translation>有效至重启。</translation>
    </message>
    <message>
        <source>Look for the password window; it may be behind this one.</source>
        <translation>请查找密码窗口；它可能在此窗口后面。</translation>
    </message>
    <message>
        <source>Looking for the causes</source>
        <translation>正在查找原因</translation>
    </message>
    <message>
        <source>No change is chosen; read “Why?” before you choose one.</source>
        <translation>没有选中任何更改；选择之前请先阅读“为何？”。</translation>
    </message>
    <message>
        <source>Not all of it was changed; the Changes page says what</source>
        <translation>并非全部更改成功；详见“更改”页</translation>
    </message>
    <message>
        <source>Not changed: {reason}</source>
        <translation>未更改：{reason}</translation>
    </message>
    <message>
        <source>Nothing to change</source>
        <translation>无需更改</translation>
    </message>
    <message>
        <source>Nothing was changed</source>
        <translation>没有任何更改</translation>
    </message>
    <message>
        <source>Record again without a change</source>
        <translation>不做更改，再次录制</translation>
    </message>
    <message>
        <source>The changes of low risk are chosen; read “Why?” before adding more.</source>
        <translation>已选中低风险的更改；添加更多之前请先阅读“为何？”。</translation>
    </message>
    <message>
        <source>The commands are in the clipboard</source>
        <translation>命令已在剪贴板中</translation>
    </message>
    <message>
        <source>The recording cannot be read</source>
        <translation>无法读取该录制</translation>
    </message>
    <message>
        <source>The recording is being read.</source>
        <translation>正在读取录制。</translation>
    </message>
    <message>
        <source>The report is copied</source>
        <translation>报告已复制</translation>
    </message>
    <message>
        <source>The settings are being changed.</source>
        <translation>正在更改设置。</translation>
    </message>
    <message>
        <source>They took most of the lost time.</source>
        <translation>它们占损失时间的大部分。</translation>
    </message>
    <message>
        <source>Waiting for your password…</source>
        <translation>正在等待输入密码…</translation>
    </message>
    <message>
        <source>While the game runs they can be tried for as long as it does.</source>
        <translation>游戏运行时，可以只在它运行期间试用这些更改。</translation>
    </message>
    <message>
        <source>{length} are too short to judge anything. Go back and record again.</source>
        <translation>{length} 太短，无法判断。请返回重新录制。</translation>
    </message>
    <message>
        <source>{verdict}. In these {length} nothing was found that a setting could improve. Record longer, or a heavier scene; the Causes page says what was measured.</source>
        <translation>{verdict}。在这 {length} 内没有发现设置可以改善的问题。请录制更长时间，或录制负载更重的场景；“原因”页说明了测量结果。</translation>
    </message>
    <message>
        <source>{verdict}. No setting helps in more than a few of them.</source>
        <translation>{verdict}。没有设置能对其中较多的卡顿有帮助。</translation>
    </message>
    <message>
        <source>{verdict}. No setting of the computer helps here.</source>
        <translation>{verdict}。电脑的任何设置在此都没有帮助。</translation>
    </message>
    <message>
        <source>{verdict}. {advice}</source>
        <translation>{verdict}。{advice}</translation>
    </message>
</context>
<context>
    <name>Closing</name>
    <message>
        <source>It keeps measuring while you play.</source>
        <translation>玩游戏时继续测量。</translation>
    </message>
    <message>
        <source>Keep measuring</source>
        <translation>继续测量</translation>
    </message>
    <message>
        <source>Keep measuring in the background?</source>
        <translation>在后台继续测量？</translation>
    </message>
    <message>
        <source>Open Destutter again to come back, or to quit with {keys}. Your answer holds from now on; Settings has it.</source>
        <translation>再次打开 Destutter 可回到窗口，或按 {keys} 退出。此回答从现在起有效，可在设置中更改。</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>The recording goes on in the background: open Destutter again to come back. Quitting ends it and keeps what there is.</source>
        <translation>录制会在后台继续：再次打开 Destutter 即可回来。退出会结束录制并保留已有内容。</translation>
    </message>
    <message>
        <source>What is changed for {game} goes back when Destutter quits.</source>
        <translation>为 {game} 所做的更改会在 Destutter 退出时还原。</translation>
    </message>
    <message>
        <source>What is kept for games is set only while Destutter runs.</source>
        <translation>为游戏保留的设置只在 Destutter 运行时生效。</translation>
    </message>
    <message>
        <source>What is kept for games is set only while Destutter runs; Settings starts it with the desktop.</source>
        <translation>为游戏保留的设置只在 Destutter 运行时生效；“设置”可让它随桌面启动。</translation>
    </message>
</context>
<context>
    <name>CommandRow</name>
    <message>
        <source>Copy this line</source>
        <translation>复制这一行</translation>
    </message>
    <message>
        <source>Copy: {line}</source>
        <translation>复制：{line}</translation>
    </message>
</context>
<context>
    <name>Compare</name>
    <message>
        <source>A  before</source>
        <translation>A  之前</translation>
    </message>
    <message>
        <source>B  after</source>
        <translation>B  之后</translation>
    </message>
    <message>
        <source>Graph and tables show the newest of A and of B</source>
        <translation>图表和表格显示 A 与 B 中最新的一个</translation>
    </message>
</context>
<context>
    <name>CompareStep</name>
    <message>
        <source>Both recordings are being read.</source>
        <translation>正在读取两次录制。</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Did it help?</source>
        <translation>有帮助吗？</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>It is gone: {before} stutters before, {after} after</source>
        <translation>问题已消失：之前 {before} 次卡顿，之后 {after} 次</translation>
    </message>
    <message>
        <source>It stays so as long as {programs} stays closed while you play.</source>
        <translation>只要游戏时保持关闭 {programs}，就会一直如此。</translation>
    </message>
    <message>
        <source>Next cause</source>
        <translation>下一个原因</translation>
    </message>
    <message>
        <source>Play the same part again and record it.</source>
        <translation>再玩一次同一部分并录制。</translation>
    </message>
    <message>
        <source>Play the same part again, about as long as before.</source>
        <translation>再玩一次同一部分，时长与之前大致相同。</translation>
    </message>
    <message>
        <source>Set each time it runs, taken back when it ends.</source>
        <translation>每次运行时设置，结束时恢复。</translation>
    </message>
    <message>
        <source>Show the whole comparison</source>
        <translation>显示完整比较</translation>
    </message>
    <message>
        <source>Start recording</source>
        <translation>开始录制</translation>
    </message>
    <message>
        <source>Stop and compare</source>
        <translation>停止并比较</translation>
    </message>
    <message>
        <source>That did not work; the Changes page says more</source>
        <translation>没有成功；“更改”页有更多说明</translation>
    </message>
    <message>
        <source>The changes are in place. Play the same part again and record it.</source>
        <translation>更改已生效。请再玩一次同一部分并录制。</translation>
    </message>
    <message>
        <source>The changes are kept for every start</source>
        <translation>更改在每次启动时保留</translation>
    </message>
    <message>
        <source>The changes are kept for {game}</source>
        <translation>已为 {game} 保留更改</translation>
    </message>
    <message>
        <source>The changes last as long as {game} runs, and that is recorded. Play the same part again, about as long as before; the verdict comes when you stop or quit it.</source>
        <translation>更改在 {game} 运行期间有效，并且正在录制。请再玩同一段，时长与之前相近；停止录制或退出游戏后给出结论。</translation>
    </message>
    <message>
        <source>The first recording is A, the second one B.</source>
        <translation>第一次录制为 A，第二次为 B。</translation>
    </message>
    <message>
        <source>The recordings cannot be compared</source>
        <translation>无法比较这两次录制</translation>
    </message>
    <message>
        <source>{name}: {reason}</source>
        <translation>{name}：{reason}</translation>
    </message>
</context>
<context>
    <name>ConnectView</name>
    <message>
        <source>A game that writes frame times already is found by itself: start it.</source>
        <translation>已经在写帧时间的游戏会被自动找到：启动它即可。</translation>
    </message>
    <message>
        <source>Choose your game, paste its line into the launcher once, and play.</source>
        <translation>选择您的游戏，将对应的一行粘贴到启动器中一次，然后开始游戏。</translation>
    </message>
    <message>
        <source>Installed games</source>
        <translation>已安装的游戏</translation>
    </message>
    <message>
        <source>Installed games are being looked for…</source>
        <translation>正在查找已安装的游戏…</translation>
    </message>
    <message>
        <source>No game was found in the lists of Steam, Heroic, Lutris and X-Plane. The lines are the same for all games of a launcher:</source>
        <translation>在 Steam、Heroic、Lutris 和 X-Plane 的列表中没有找到游戏。同一启动器的所有游戏都使用相同的一行：</translation>
    </message>
    <message>
        <source>Part of the game&apos;s name</source>
        <translation>游戏名称的一部分</translation>
    </message>
    <message>
        <source>Part of the name</source>
        <translation>名称的一部分</translation>
    </message>
    <message>
        <source>The Flatpak&apos;s sandbox hides which games are installed. The lines are the same for all games of a launcher:</source>
        <translation>Flatpak 的沙盒隐藏了已安装的游戏。同一启动器的所有游戏都使用相同的一行：</translation>
    </message>
    <message>
        <source>Without frame times, Destutter shows how late the processor wakes a program.</source>
        <translation>没有帧时间时，Destutter 显示处理器唤醒程序晚了多久。</translation>
    </message>
</context>
<context>
    <name>DetailView</name>
    <message>
        <source>Choose a recording</source>
        <translation>选择一个录制</translation>
    </message>
    <message>
        <source>Click one to see it. Click the circles of two to compare them, or of more: the older ones are A, the newer ones B.</source>
        <translation>单击可查看一个录制。单击两个或更多录制的圆圈可进行对比：较早的是 A，较新的是 B。</translation>
    </message>
    <message>
        <source>Comment on this recording</source>
        <translation>此录制的备注</translation>
    </message>
    <message>
        <source>Comment: weather, airport, what you changed…</source>
        <translation>备注：天气、机场、你改动了什么……</translation>
    </message>
    <message>
        <source>Compare the two newest</source>
        <translation>比较最新的两个</translation>
    </message>
    <message>
        <source>Copy as text for a forum (Markdown)</source>
        <translation>复制为论坛用文本（Markdown）</translation>
    </message>
    <message>
        <source>Correct the phases…</source>
        <translation>更正阶段…</translation>
    </message>
    <message>
        <source>Fewer measures</source>
        <translation>更少指标</translation>
    </message>
    <message>
        <source>More measures</source>
        <translation>更多指标</translation>
    </message>
    <message>
        <source>Save as a web page (HTML)…</source>
        <translation>保存为网页（HTML）…</translation>
    </message>
    <message>
        <source>Save the graph as a drawing (SVG)…</source>
        <translation>将图表保存为矢量图（SVG）…</translation>
    </message>
    <message>
        <source>Save the graph as a picture (PNG)…</source>
        <translation>将图表保存为图片（PNG）…</translation>
    </message>
    <message>
        <source>Swap A and B</source>
        <translation>交换 A 和 B</translation>
    </message>
    <message>
        <source>This file cannot be opened</source>
        <translation>无法打开此文件</translation>
    </message>
</context>
<context>
    <name>Drives</name>
    <message>
        <source>It says so itself (SMART). Copy what matters to another drive first. No setting helps a failing drive.</source>
        <translation>磁盘自己报告了这一点（SMART）。请先将重要数据复制到另一块磁盘。任何设置都无法挽救即将损坏的磁盘。</translation>
    </message>
    <message>
        <source>Save your data: the drive {drive} is failing</source>
        <translation>请备份数据：磁盘 {drive} 即将损坏</translation>
    </message>
    <message>
        <source>Show the drives</source>
        <translation>显示磁盘</translation>
    </message>
    <message>
        <source>{model} ({name})</source>
        <translation>{model}（{name}）</translation>
    </message>
</context>
<context>
    <name>EventStrip</name>
    <message>
        <source>The kernel saw the game wait for {what}</source>
        <translation>内核看到游戏在等待：{what}</translation>
    </message>
    <message>
        <source>a core</source>
        <translation>核心</translation>
    </message>
    <message>
        <source>a drive</source>
        <translation>驱动器</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>{count} stutters</source>
        <translation>{count} 次卡顿</translation>
    </message>
</context>
<context>
    <name>Evidence</name>
    <message>
        <source>CPU wake-up delay</source>
        <translation>CPU 唤醒延迟</translation>
    </message>
    <message>
        <source>Frame time</source>
        <translation>帧时间</translation>
    </message>
</context>
<context>
    <name>EvidenceCard</name>
    <message>
        <source>Evidence as</source>
        <translation>证据显示方式</translation>
    </message>
    <message>
        <source>Evidence graph</source>
        <translation>证据图表</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>限值</translation>
    </message>
    <message>
        <source>Nothing was measured yet.</source>
        <translation>尚未测量到任何数据。</translation>
    </message>
    <message>
        <source>Stutter after</source>
        <translation>下一次卡顿</translation>
    </message>
    <message>
        <source>Stutter before</source>
        <translation>上一次卡顿</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>The measurements of that moment are kept no longer.</source>
        <translation>该时刻的测量数据已不再保留。</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>counts from {value}</source>
        <translation>从 {value} 起计</translation>
    </message>
    <message>
        <source>not measured then</source>
        <translation>当时未测量</translation>
    </message>
    <message>
        <source>on average, counts from {value}</source>
        <translation>平均值，从 {value} 起计</translation>
    </message>
    <message>
        <source>too little to count, from {value}</source>
        <translation>太少，从 {value} 起才计入</translation>
    </message>
    <message>
        <source>{number} of {count}</source>
        <translation>{number}/{count}</translation>
    </message>
</context>
<context>
    <name>EvidenceTable</name>
    <message>
        <source>Evidence as a table</source>
        <translation>以表格显示证据</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message numerus="yes">
        <source>%n file(s) written</source>
        <translation>
            <numerusform>已写出 %n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>None of the changes fits into such a file.</source>
        <translation>没有任何更改适合写入这样的文件。</translation>
    </message>
    <message>
        <source>Nothing was written</source>
        <translation>没有写出任何内容</translation>
    </message>
    <message>
        <source>{files} in {folder}</source>
        <translation>{files}，位于 {folder}</translation>
    </message>
    <message>
        <source>{folder}: {reason}</source>
        <translation>{folder}：{reason}</translation>
    </message>
    <message>
        <source>{written}. No file can set: {settings}.</source>
        <translation>{written}。没有文件能设置：{settings}。</translation>
    </message>
</context>
<context>
    <name>ExportButton</name>
    <message>
        <source>Export into a folder</source>
        <translation>导出到文件夹</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Files for sysctl.d and udev…</source>
        <translation>sysctl.d 和 udev 的文件…</translation>
    </message>
    <message>
        <source>Shell script with undo…</source>
        <translation>含撤销功能的 Shell 脚本…</translation>
    </message>
</context>
<context>
    <name>FileChoice</name>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Recordings and frame-time logs (*.destutter *.csv *.json)</source>
        <translation>录制和帧时间日志 (*.destutter *.csv *.json)</translation>
    </message>
    <message>
        <source>Save the report</source>
        <translation>保存报告</translation>
    </message>
</context>
<context>
    <name>FramesView</name>
    <message>
        <source>Folder of MangoHud&apos;s logs</source>
        <translation>MangoHud 日志文件夹</translation>
    </message>
    <message>
        <source>Follow it no longer</source>
        <translation>不再跟随</translation>
    </message>
    <message>
        <source>Followed: {folder}</source>
        <translation>正在跟随：{folder}</translation>
    </message>
    <message>
        <source>Use another log folder…</source>
        <translation>使用其他日志文件夹…</translation>
    </message>
</context>
<context>
    <name>GameSetup</name>
    <message>
        <source>If nothing arrives: MangoHud is missing.</source>
        <translation>如果没有帧到达：缺少 MangoHud。</translation>
    </message>
    <message>
        <source>If nothing arrives: MangoHud is missing. In a terminal:</source>
        <translation>如果没有帧到达：缺少 MangoHud。在终端中运行：</translation>
    </message>
    <message>
        <source>If nothing arrives: MangoHud is missing. Install it in your distribution&apos;s own way.</source>
        <translation>如果没有帧到达：缺少 MangoHud。请按您的发行版的方式安装。</translation>
    </message>
    <message>
        <source>If the store does not have it, in a terminal:</source>
        <translation>如果软件商店里没有，请在终端中运行：</translation>
    </message>
    <message>
        <source>Open it in the software store</source>
        <translation>在软件商店中打开</translation>
    </message>
    <message>
        <source>This needs MangoHud; whether it is there is hidden.</source>
        <translation>这需要 MangoHud；从这里看不到它是否已安装。</translation>
    </message>
    <message>
        <source>{game} tells its frame times by itself: nothing is to be done.</source>
        <translation>{game} 会自行报告帧时间：无需任何操作。</translation>
    </message>
</context>
<context>
    <name>GameTrials</name>
    <message>
        <source>Both recordings are read, which may take minutes. The verdict comes here, on every page.</source>
        <translation>正在读取两份录制，可能需要几分钟。结论会显示在此处，每个页面都能看到。</translation>
    </message>
    <message>
        <source>Show the comparison</source>
        <translation>显示比较</translation>
    </message>
    <message>
        <source>The recordings cannot be compared</source>
        <translation>无法比较这些录制</translation>
    </message>
    <message>
        <source>The trial with {game} is over.</source>
        <translation>{game} 的试用已结束。</translation>
    </message>
    <message>
        <source>The trial with {game} is over: {tried} minutes with the changes against {before} minutes before.</source>
        <translation>{game} 的试用已结束：使用更改的 {tried} 分钟，对比之前的 {before} 分钟。</translation>
    </message>
    <message>
        <source>The trial with {game} is over; it is being compared</source>
        <translation>{game} 的试用已结束；正在比较</translation>
    </message>
    <message>
        <source>The trial with {game} is recorded</source>
        <translation>{game} 的试用已录制</translation>
    </message>
    <message>
        <source>There is no earlier recording of this game to compare with: record once without the changes, then compare both in Sessions.</source>
        <translation>没有此游戏更早的录制可供比较：请在不做更改的情况下录制一次，然后在“会话”中比较两者。</translation>
    </message>
    <message>
        <source>What the computer read, wrote and took up was not as before: the play may not have been alike.</source>
        <translation>电脑读、写和占用的量与之前不同：游玩内容可能不同。</translation>
    </message>
    <message>
        <source>With the changes the computer read, wrote or took up much less than before: the play may not have been alike.</source>
        <translation>更改后电脑读、写或占用的量远少于之前：游玩内容可能不同。</translation>
    </message>
    <message>
        <source>With the changes the computer read, wrote or took up much more than before: the play may not have been alike.</source>
        <translation>更改后电脑读、写或占用的量远多于之前：游玩内容可能不同。</translation>
    </message>
    <message>
        <source>{programs} did much less than before as well, which may be what helped: try once more with all else as before.</source>
        <translation>{programs} 也比之前做得少得多，起作用的可能是这一点：请在其他一切与之前相同的情况下再试一次。</translation>
    </message>
</context>
<context>
    <name>GamesCard</name>
    <message>
        <source>Kept for games</source>
        <translation>为游戏保留</translation>
    </message>
    <message>
        <source>Not set: {reason}</source>
        <translation>未设置：{reason}</translation>
    </message>
    <message>
        <source>On now, while it runs: {settings}</source>
        <translation>现已生效，持续到它结束：{settings}</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove what is kept for {game}</source>
        <translation>移除为 {game} 保留的设置</translation>
    </message>
    <message>
        <source>Set when it runs: {settings}</source>
        <translation>在它运行时生效：{settings}</translation>
    </message>
    <message>
        <source>Taken back; set again at its next start: {settings}</source>
        <translation>已恢复；下次启动时再次设置：{settings}</translation>
    </message>
    <message>
        <source>{state}. {settings}</source>
        <translation>{state}。{settings}</translation>
    </message>
</context>
<context>
    <name>Gaps</name>
    <message>
        <source>No data {start}–{end} ({why})</source>
        <translation>无数据 {start}–{end}（{why}）</translation>
    </message>
    <message>
        <source>computer slept</source>
        <translation>计算机休眠</translation>
    </message>
    <message>
        <source>no data {length}</source>
        <translation>无数据 {length}</translation>
    </message>
    <message>
        <source>nothing was scheduled</source>
        <translation>没有任何调度</translation>
    </message>
    <message>
        <source>slept {length}</source>
        <translation>休眠 {length}</translation>
    </message>
</context>
<context>
    <name>GraphCard</name>
    <message>
        <source>Back to now</source>
        <translation>回到现在</translation>
    </message>
    <message>
        <source>Closer</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Farther</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>The cause of the chosen stutter</source>
        <translation>所选卡顿的原因</translation>
    </message>
    <message>
        <source>The oldest measurement</source>
        <translation>最早的测量</translation>
    </message>
    <message>
        <source>The stutter after</source>
        <translation>下一次卡顿</translation>
    </message>
    <message>
        <source>The stutter before</source>
        <translation>上一次卡顿</translation>
    </message>
</context>
<context>
    <name>GraphPanel</name>
    <message>
        <source>At {time}</source>
        <translation>{time} 处</translation>
    </message>
    <message>
        <source>At {time}: {values}</source>
        <translation>{time} 处：{values}</translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation>分布</translation>
    </message>
    <message>
        <source>Frames longer than {length}:</source>
        <translation>超过 {length} 的帧：</translation>
    </message>
    <message>
        <source>How many frames are longer</source>
        <translation>更长的帧有多少</translation>
    </message>
    <message>
        <source>How many wake-ups are later</source>
        <translation>更晚的唤醒有多少</translation>
    </message>
    <message>
        <source>Later than {length}: {share} of the wake-ups</source>
        <translation>晚于 {length}：{share} 的唤醒</translation>
    </message>
    <message>
        <source>Latest wake-up in each second</source>
        <translation>每秒最晚的唤醒</translation>
    </message>
    <message>
        <source>Longer than {length}: {share} of the frames</source>
        <translation>超过 {length}：{share} 的帧</translation>
    </message>
    <message>
        <source>Longest frame in each second</source>
        <translation>每秒最长的帧</translation>
    </message>
    <message>
        <source>Over time</source>
        <translation>随时间变化</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>叠加</translation>
    </message>
    <message>
        <source>Point at the graph to read how many took longer than the time below</source>
        <translation>指向图表，可读取用时超过下方时间的有多少</translation>
    </message>
    <message>
        <source>Point at the graph to read values</source>
        <translation>指向图表以读取数值</translation>
    </message>
    <message>
        <source>Shaded: the phases of {badge}</source>
        <translation>阴影：{badge} 的阶段</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>并排</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Wake-ups later than {length}:</source>
        <translation>晚于 {length} 的唤醒：</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
</context>
<context>
    <name>GroupSigns</name>
    <message>
        <source>{group}: {state}</source>
        <translation>{group}：{state}</translation>
    </message>
</context>
<context>
    <name>Guide</name>
    <message>
        <source>Can be read.</source>
        <translation>可以读取。</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Close {programs} while you play</source>
        <translation>玩游戏时关闭 {programs}</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Continue the guide</source>
        <translation>继续向导</translation>
    </message>
    <message>
        <source>Frame times</source>
        <translation>帧时间</translation>
    </message>
    <message>
        <source>From the system&apos;s own counts, and a probe of ours.</source>
        <translation>来自系统自己的计数和我们自己的探测。</translation>
    </message>
    <message>
        <source>From the system&apos;s own counts. {why}</source>
        <translation>来自系统自己的计数。{why}</translation>
    </message>
    <message>
        <source>Graphics card</source>
        <translation>显卡</translation>
    </message>
    <message>
        <source>Helper for changing settings</source>
        <translation>用于更改设置的辅助服务</translation>
    </message>
    <message>
        <source>How quickly the drives answer</source>
        <translation>驱动器响应有多快</translation>
    </message>
    <message>
        <source>I did that: record again and compare</source>
        <translation>我已照做：再次录制并比较</translation>
    </message>
    <message>
        <source>Installed. It asks for a password when something is changed.</source>
        <translation>已安装。更改设置时会询问密码。</translation>
    </message>
    <message>
        <source>It is being asked.</source>
        <translation>正在查询。</translation>
    </message>
    <message>
        <source>Less detail in the game, or a limit for its frame rate</source>
        <translation>降低游戏细节，或限制帧率</translation>
    </message>
    <message>
        <source>Measuring begins…</source>
        <translation>测量即将开始…</translation>
    </message>
    <message>
        <source>Memory, and how quickly the computer reacts</source>
        <translation>内存，以及电脑反应有多快</translation>
    </message>
    <message>
        <source>New here? The guide finds out why a game stutters, in five steps</source>
        <translation>初次使用？向导分五步找出游戏卡顿的原因</translation>
    </message>
    <message>
        <source>No game reports them yet. Until one does, stutters are found by how late the computer reacts.</source>
        <translation>还没有游戏报告。在此之前，卡顿根据电脑反应的延迟来发现。</translation>
    </message>
    <message>
        <source>Not available. Without it everything is measured all the same.</source>
        <translation>不可用。没有它也照常测量一切。</translation>
    </message>
    <message>
        <source>Not offered by this computer; causes that need it are skipped.</source>
        <translation>这台计算机不提供；需要它的原因会被跳过。</translation>
    </message>
    <message>
        <source>Open the guide</source>
        <translation>打开向导</translation>
    </message>
    <message>
        <source>Power and temperature</source>
        <translation>功率与温度</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>录制</translation>
    </message>
    <message>
        <source>Reported by {tool}.</source>
        <translation>由 {tool} 报告。</translation>
    </message>
    <message>
        <source>Something to change in the game itself</source>
        <translation>需要在游戏里更改</translation>
    </message>
    <message>
        <source>Something you can do yourself</source>
        <translation>您可以自己做的事</translation>
    </message>
    <message>
        <source>The guide waits at step {number} of {count}: {name}</source>
        <translation>向导停在第 {number} 步（共 {count} 步）：{name}</translation>
    </message>
    <message>
        <source>Told by the system.</source>
        <translation>由系统提供。</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>欢迎</translation>
    </message>
    <message>
        <source>What programs wait for</source>
        <translation>程序在等待什么</translation>
    </message>
    <message>
        <source>{names} and more</source>
        <translation>{names} 等</translation>
    </message>
</context>
<context>
    <name>GuidePage</name>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Leave the guide</source>
        <translation>离开向导</translation>
    </message>
    <message>
        <source>The guide will not remember this step</source>
        <translation>向导不会记住这一步</translation>
    </message>
    <message>
        <source>The recording ended by itself</source>
        <translation>录制已自行结束</translation>
    </message>
</context>
<context>
    <name>Gutter</name>
    <message>
        <source>+{count} more</source>
        <translation>另有 {count} 项</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source>About Destutter</source>
        <translation>关于 Destutter</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version {version} or later. It comes without any warranty, and asks nothing from the internet.</source>
        <translation>自由软件，依据 GNU 通用公共许可证第 {version} 版或更高版本发布。不附带任何担保，也不会从互联网获取任何内容。</translation>
    </message>
    <message>
        <source>To report something, pack what the kernel tells of this computer into a file, without the names of other programs, and attach it to your report:</source>
        <translation>要报告问题，请把内核对这台电脑的描述打包成一个文件（不含其他程序的名称），并附在报告中：</translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation>版本 {version}</translation>
    </message>
</context>
<context>
    <name>HelpInWindow</name>
    <message>
        <source>About Destutter</source>
        <translation>关于 Destutter</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>所有页面</translation>
    </message>
    <message>
        <source>Explain this page</source>
        <translation>说明此页</translation>
    </message>
    <message>
        <source>List of shortcuts</source>
        <translation>快捷键列表</translation>
    </message>
    <message>
        <source>On this page</source>
        <translation>在此页上</translation>
    </message>
    <message>
        <source>Show the strip</source>
        <translation>显示悬浮条</translation>
    </message>
</context>
<context>
    <name>HelperView</name>
    <message>
        <source>Bring the helper up to date</source>
        <translation>更新辅助服务</translation>
    </message>
    <message>
        <source>Not removed: {reason}</source>
        <translation>未移除：{reason}</translation>
    </message>
    <message>
        <source>Not set up: {reason}</source>
        <translation>未安装：{reason}</translation>
    </message>
    <message>
        <source>Remove the helper</source>
        <translation>移除辅助服务</translation>
    </message>
    <message>
        <source>SHA-256 of what is installed:</source>
        <translation>安装内容的 SHA-256：</translation>
    </message>
    <message>
        <source>Set up the helper</source>
        <translation>安装辅助服务</translation>
    </message>
    <message>
        <source>The helper is removed. Every change of it was taken back first. Your recordings and what you chose stay in ~/.local/share/destutter and ~/.config/destutter.</source>
        <translation>辅助服务已移除。它的每项更改都已先恢复。您的录制和选择保留在 ~/.local/share/destutter 和 ~/.config/destutter。</translation>
    </message>
    <message>
        <source>The helper is set up. A button of Settings takes it away again.</source>
        <translation>辅助服务已安装。“设置”中的按钮可以再将它移除。</translation>
    </message>
    <message>
        <source>Waiting for the password, then installing… The window that asks for it names /bin/sh, which installs it.</source>
        <translation>正在等待密码，然后安装… 询问密码的窗口会显示 /bin/sh，由它来安装。</translation>
    </message>
    <message>
        <source>Waiting for the password, then taking back and removing… The window that asks for it names /bin/sh, which removes it.</source>
        <translation>正在等待密码，然后还原并移除… 询问密码的窗口会显示 /bin/sh，由它来移除。</translation>
    </message>
</context>
<context>
    <name>History</name>
    <message>
        <source>device not there any more</source>
        <translation>设备已不存在</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>已保留</translation>
    </message>
    <message>
        <source>left alone: changed by something else</source>
        <translation>未改动：被其他程序更改</translation>
    </message>
    <message>
        <source>left as it was found</source>
        <translation>保持原样</translation>
    </message>
    <message>
        <source>on trial</source>
        <translation>正在试用</translation>
    </message>
    <message>
        <source>refused by the kernel</source>
        <translation>被内核拒绝</translation>
    </message>
    <message>
        <source>set at the start</source>
        <translation>启动时已设置</translation>
    </message>
    <message>
        <source>set for a game</source>
        <translation>为游戏设置</translation>
    </message>
    <message>
        <source>taken back after a crash</source>
        <translation>崩溃后已恢复</translation>
    </message>
    <message>
        <source>taken back after a game</source>
        <translation>游戏结束后已还原</translation>
    </message>
    <message>
        <source>taken back: not all could be set</source>
        <translation>已恢复：并非全部都能设置</translation>
    </message>
    <message>
        <source>trial ended by a shutdown</source>
        <translation>试用因关机而结束</translation>
    </message>
    <message>
        <source>trial ended by its time</source>
        <translation>试用到时结束</translation>
    </message>
    <message>
        <source>trial ended with the game</source>
        <translation>试用随游戏结束</translation>
    </message>
    <message>
        <source>trial ended: its program let go</source>
        <translation>试用已结束：开始它的程序已放弃</translation>
    </message>
    <message>
        <source>trial ended: its program was gone</source>
        <translation>试用已结束：开始它的程序已不存在</translation>
    </message>
    <message>
        <source>trial taken back</source>
        <translation>试用的更改已恢复</translation>
    </message>
    <message>
        <source>undone</source>
        <translation>已撤销</translation>
    </message>
</context>
<context>
    <name>HistoryCard</name>
    <message>
        <source>Hide the list</source>
        <translation>隐藏列表</translation>
    </message>
    <message>
        <source>History of changes</source>
        <translation>更改历史</translation>
    </message>
    <message numerus="yes">
        <source>History: %n change(s) since {date}.</source>
        <translation>
            <numerusform>历史：自 {date} 起 %n 项更改。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>History: %n change(s).</source>
        <translation>
            <numerusform>历史：%n 项更改。</numerusform>
        </translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Show the list</source>
        <translation>显示列表</translation>
    </message>
    <message>
        <source>The helper keeps a log in /var/lib/destutter that only root can write.</source>
        <translation>辅助服务在 /var/lib/destutter 中保存日志，只有 root 可以写入。</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>What</source>
        <translation>事项</translation>
    </message>
    <message>
        <source>When</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>{before} → {after}</source>
        <translation>{before} → {after}</translation>
    </message>
    <message>
        <source>{count} {place}</source>
        <translation>{count}{place}</translation>
    </message>
</context>
<context>
    <name>InsideView</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>For {time} at most the kernel records what stops the threads of the game. It takes a password.</source>
        <translation>内核最多在 {time}内记录是什么打断了游戏的线程。需要输入密码。</translation>
    </message>
    <message>
        <source>Only threads of a game are looked into, and no game runs.</source>
        <translation>只查看游戏的线程，而现在没有游戏在运行。</translation>
    </message>
    <message>
        <source>Record for one minute</source>
        <translation>记录一分钟</translation>
    </message>
    <message>
        <source>Recording; it ends by itself in {time} at the latest.</source>
        <translation>正在记录；最迟 {time} 后自动结束。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>These are files of another computer: its kernel cannot be asked.</source>
        <translation>这些是另一台计算机的文件：无法询问其内核。</translation>
    </message>
    <message>
        <source>This was recorded. It ended, and nothing is recorded any more.</source>
        <translation>以上为已记录内容。记录已结束，不再记录任何内容。</translation>
    </message>
    <message>
        <source>Waiting for your password…</source>
        <translation>正在等待输入密码…</translation>
    </message>
    <message>
        <source>What the kernel told while this was recorded, if an expert asked.</source>
        <translation>录制期间内核提供的信息（如果当时有专家请求）。</translation>
    </message>
</context>
<context>
    <name>Keys</name>
    <message>
        <source>Go to the page with this number</source>
        <translation>转到该编号的页面</translation>
    </message>
    <message>
        <source>Mark this moment in the recording</source>
        <translation>在录制中标记此刻</translation>
    </message>
    <message>
        <source>Quit Destutter</source>
        <translation>退出 Destutter</translation>
    </message>
    <message>
        <source>Record, or stop</source>
        <translation>录制或停止</translation>
    </message>
</context>
<context>
    <name>KeysRow</name>
    <message>
        <source>Keys while you play</source>
        <translation>游戏时的快捷键</translation>
    </message>
    <message>
        <source>Mark: {mark}. Record or stop: {record}. A game that takes the keyboard for itself gets them instead.</source>
        <translation>标记：{mark}。录制或停止：{record}。独占键盘的游戏会先收到这些按键。</translation>
    </message>
    <message>
        <source>The desktop asks which keys.</source>
        <translation>桌面会询问使用哪些按键。</translation>
    </message>
    <message>
        <source>The desktop did not grant any. Tick again to ask again.</source>
        <translation>桌面未授予按键。再次勾选可重新询问。</translation>
    </message>
    <message>
        <source>This desktop passes no keys on to programs. In its keyboard settings, bind keys to the commands “{mark}” and “{record}”. {keys} work while this window has the keyboard.</source>
        <translation>此桌面不向程序传递按键。请在其键盘设置中为命令 “{mark}” 和 “{record}” 指定按键。本窗口拥有键盘时可用 {keys}。</translation>
    </message>
    <message>
        <source>To mark a moment and to record. The desktop asks which keys.</source>
        <translation>用于标记时刻和录制。桌面会询问使用哪些按键。</translation>
    </message>
    <message>
        <source>no key; choose one in the desktop&apos;s settings</source>
        <translation>没有按键；请在桌面设置中选择</translation>
    </message>
</context>
<context>
    <name>LaneRow</name>
    <message>
        <source>not available</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>{lane} graph</source>
        <translation>{lane} 图表</translation>
    </message>
</context>
<context>
    <name>Lanes</name>
    <message>
        <source>A small program asks to be woken at exact times. As late as it wakes, a game may wake, too.</source>
        <translation>一个小程序请求在精确的时刻被唤醒。它醒得有多晚，游戏也可能醒得有多晚。</translation>
    </message>
    <message>
        <source>Background reclaim</source>
        <translation>后台回收</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>CPU wake-up delay</source>
        <translation>CPU 唤醒延迟</translation>
    </message>
    <message>
        <source>Drive delay</source>
        <translation>驱动器延迟</translation>
    </message>
    <message>
        <source>Drive queue</source>
        <translation>驱动器队列</translation>
    </message>
    <message>
        <source>Drive throughput</source>
        <translation>驱动器吞吐量</translation>
    </message>
    <message>
        <source>Drive {drive}</source>
        <translation>驱动器 {drive}</translation>
    </message>
    <message>
        <source>FPS / 1 % low</source>
        <translation>FPS / 1 % low</translation>
    </message>
    <message>
        <source>For how much of each second threads of the game could have worked and had no core.</source>
        <translation>每一秒中，游戏线程本可工作却没有核心的时间。</translation>
    </message>
    <message>
        <source>Frame time</source>
        <translation>帧时间</translation>
    </message>
    <message>
        <source>Frame times need MangoHud or X-Plane.</source>
        <translation>帧时间需要 MangoHud 或 X-Plane。</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Graphics card load</source>
        <translation>显卡负载</translation>
    </message>
    <message>
        <source>How busy each graphics card is. A card that is always busy sets the frame rate; with one that often rests something else does.</source>
        <translation>每块显卡的忙碌程度。一直忙碌的显卡决定帧率；若显卡经常空闲，则由其他因素决定。</translation>
    </message>
    <message>
        <source>How busy the cores are. One core that has everything to do holds up a game while the average is low; time that the host takes is missing in a virtual machine.</source>
        <translation>各核心的忙碌程度。即使平均值很低，一个满载的核心也会拖住游戏；在虚拟机中，被宿主占用的时间是缺失的时间。</translation>
    </message>
    <message>
        <source>How long a drive took from a request to its answer, on average in each tenth of a second (I/O latency).</source>
        <translation>驱动器从收到请求到回应所需的时间，取每十分之一秒的平均值（I/O 延迟）。</translation>
    </message>
    <message>
        <source>How long each picture of the game took. One long frame among short ones is a stutter. The GPU limits them where it is at work {card} of the time and more, the CPU where a thread of the game is for {thread}.</source>
        <translation>游戏的每一帧用了多长时间。短帧之中的一个长帧就是一次卡顿。GPU 有 {card} 以上的时间在工作时，帧受限于 GPU；游戏的某个线程有 {thread} 的时间在计算时，受限于 CPU。</translation>
    </message>
    <message>
        <source>How long this drive took from a request to its answer. A flush is over when everything written before is safe.</source>
        <translation>该驱动器从请求到应答所用的时间。之前写入的数据全部安全落盘后，刷新才算完成。</translation>
    </message>
    <message>
        <source>How many requests waited at the same time, at the drive with the most.</source>
        <translation>同时等待的请求数，取最多的那个驱动器。</translation>
    </message>
    <message>
        <source>How often devices interrupted the cores, and how often a core changed tasks.</source>
        <translation>设备中断核心的次数，以及核心切换任务的次数。</translation>
    </message>
    <message>
        <source>How often the kernel worked on network packets, how often it had to put the rest off, and how many packets it dropped because a queue was full.</source>
        <translation>内核处理网络数据包的次数、不得不推迟其余数据包的次数，以及因队列已满而丢弃的数据包数。</translation>
    </message>
    <message>
        <source>Interrupts</source>
        <translation>中断</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Memory of the graphics card in use. What does not fit lies in the computer&apos;s memory, which is much slower.</source>
        <translation>已用的显存。放不下的部分位于内存中，速度慢得多。</translation>
    </message>
    <message>
        <source>Memory that programs had to free themselves before they got any (the kernel&apos;s direct reclaim). A page is the kernel&apos;s unit of memory.</source>
        <translation>程序在得到内存之前不得不自己释放的内存（内核的直接回收）。页是内核的内存单位。</translation>
    </message>
    <message>
        <source>Network queues</source>
        <translation>网络队列</translation>
    </message>
    <message>
        <source>Nothing has been measured yet.</source>
        <translation>尚未测量到任何数据。</translation>
    </message>
    <message>
        <source>Pages of memory that went to swap and came back, and how often a program had to wait until a page was read.</source>
        <translation>换出和换回的内存页，以及程序等待读取页的次数。</translation>
    </message>
    <message>
        <source>Pages that the kernel freed ahead of time, and pages of files that were freed and needed again.</source>
        <translation>内核提前回收的页，以及被回收后又重新需要的文件页。</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>功率</translation>
    </message>
    <message>
        <source>Processor clock</source>
        <translation>处理器频率</translation>
    </message>
    <message>
        <source>Processor load</source>
        <translation>处理器负载</translation>
    </message>
    <message>
        <source>Set up frame times…</source>
        <translation>设置帧时间…</translation>
    </message>
    <message>
        <source>Share of the time in which at least one program waited for memory, for a drive or for a core (the kernel&apos;s pressure stall information, PSI).</source>
        <translation>至少有一个程序在等待内存、驱动器或核心的时间比例（内核的压力停顿信息，PSI）。</translation>
    </message>
    <message>
        <source>Swapping</source>
        <translation>交换（swap）</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>The clock of the fastest and of the slowest core. It falls when there is little to do, and when the processor gets too hot.</source>
        <translation>最快和最慢核心的频率。空闲时会下降，处理器过热时也会下降。</translation>
    </message>
    <message>
        <source>The hottest sensor of the computer, and of graphics cards.</source>
        <translation>计算机上最热的传感器，以及显卡的温度。</translation>
    </message>
    <message>
        <source>The log leaves out most frames.</source>
        <translation>该日志缺少大部分帧。</translation>
    </message>
    <message>
        <source>The longest wait of any thread of the game in each quarter of a second, by what it waited for. The kernel tells each of them itself; waits below {limit} are left out.</source>
        <translation>每四分之一秒内游戏任一线程的最长等待，按等待对象区分。每次等待都由内核自己报告；短于 {limit} 的不报告。</translation>
    </message>
    <message>
        <source>Time spent waiting</source>
        <translation>等待时间</translation>
    </message>
    <message>
        <source>Unwritten data</source>
        <translation>未写数据</translation>
    </message>
    <message>
        <source>Video memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Wait for a core</source>
        <translation>等待核心</translation>
    </message>
    <message>
        <source>Waiting for free memory</source>
        <translation>等待空闲内存</translation>
    </message>
    <message>
        <source>Waits of the game</source>
        <translation>游戏的等待</translation>
    </message>
    <message>
        <source>What programs could still get, what the cache of files holds, and what lies in swap.</source>
        <translation>程序还能获得的内存、页缓存占用的内存，以及位于交换区的内存。</translation>
    </message>
    <message>
        <source>What the busiest drive read and wrote.</source>
        <translation>最忙的驱动器读写的数据量。</translation>
    </message>
    <message>
        <source>What the computer&apos;s sensors tell of its power, and graphics cards of theirs.</source>
        <translation>计算机传感器报告的功率，以及显卡报告的功率。</translation>
    </message>
    <message>
        <source>Writing starts at {size}.</source>
        <translation>达到 {size} 时开始写入。</translation>
    </message>
    <message>
        <source>Written data that is still in memory only (the kernel&apos;s dirty pages). When there is too much of it, programs that write have to wait.</source>
        <translation>已写入但仍只在内存中的数据（内核的脏页）。太多时，写入的程序必须等待。</translation>
    </message>
    <message>
        <source>a core</source>
        <translation>核心</translation>
    </message>
    <message>
        <source>a drive</source>
        <translation>驱动器</translation>
    </message>
    <message>
        <source>all cores</source>
        <translation>所有核心</translation>
    </message>
    <message>
        <source>any busy thread</source>
        <translation>任一忙碌线程</translation>
    </message>
    <message>
        <source>available</source>
        <translation>可用</translation>
    </message>
    <message>
        <source>background writing starts</source>
        <translation>后台写入开始</translation>
    </message>
    <message>
        <source>being written</source>
        <translation>正在写入</translation>
    </message>
    <message>
        <source>below {limit}</source>
        <translation>低于 {limit}</translation>
    </message>
    <message>
        <source>busiest core</source>
        <translation>最忙核心</translation>
    </message>
    <message>
        <source>dropped</source>
        <translation>已丢弃</translation>
    </message>
    <message>
        <source>fastest core</source>
        <translation>最快核心</translation>
    </message>
    <message>
        <source>flushes</source>
        <translation>刷新</translation>
    </message>
    <message>
        <source>freed pages</source>
        <translation>已回收页</translation>
    </message>
    <message>
        <source>game</source>
        <translation>游戏</translation>
    </message>
    <message>
        <source>graphics card</source>
        <translation>显卡</translation>
    </message>
    <message>
        <source>hottest sensor</source>
        <translation>最热传感器</translation>
    </message>
    <message>
        <source>in swap</source>
        <translation>在交换区</translation>
    </message>
    <message>
        <source>in the computer&apos;s memory</source>
        <translation>在内存中</translation>
    </message>
    <message>
        <source>interrupts</source>
        <translation>中断</translation>
    </message>
    <message>
        <source>largest sensor</source>
        <translation>最大的传感器</translation>
    </message>
    <message>
        <source>limited by</source>
        <translation>受限于</translation>
    </message>
    <message>
        <source>longest delay</source>
        <translation>最长延迟</translation>
    </message>
    <message>
        <source>longest queue</source>
        <translation>最长队列</translation>
    </message>
    <message>
        <source>main thread</source>
        <translation>主线程</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>needed again</source>
        <translation>再次需要</translation>
    </message>
    <message>
        <source>neither</source>
        <translation>两者都不是</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>page cache</source>
        <translation>页缓存</translation>
    </message>
    <message>
        <source>pages per second</source>
        <translation>页/秒</translation>
    </message>
    <message>
        <source>put off</source>
        <translation>已推迟</translation>
    </message>
    <message>
        <source>read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>read back</source>
        <translation>换入</translation>
    </message>
    <message>
        <source>reads</source>
        <translation>读</translation>
    </message>
    <message>
        <source>rounds of work</source>
        <translation>处理轮次</translation>
    </message>
    <message>
        <source>size</source>
        <translation>容量</translation>
    </message>
    <message>
        <source>slowest core</source>
        <translation>最慢核心</translation>
    </message>
    <message>
        <source>stutter</source>
        <translation>卡顿</translation>
    </message>
    <message>
        <source>taken by the host</source>
        <translation>被宿主占用</translation>
    </message>
    <message>
        <source>task changes</source>
        <translation>任务切换</translation>
    </message>
    <message>
        <source>waiting for disk</source>
        <translation>等待磁盘</translation>
    </message>
    <message>
        <source>waits for pages</source>
        <translation>等待页</translation>
    </message>
    <message>
        <source>waits per second</source>
        <translation>等待/秒</translation>
    </message>
    <message>
        <source>writes</source>
        <translation>写</translation>
    </message>
    <message>
        <source>written</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>written out</source>
        <translation>换出</translation>
    </message>
    <message>
        <source>{disk} read</source>
        <translation>{disk} 读</translation>
    </message>
    <message>
        <source>{disk} write</source>
        <translation>{disk} 写</translation>
    </message>
    <message>
        <source>{limit} — a read this slow can hold up a frame</source>
        <translation>{limit} — 这么慢的读可能拖住一帧</translation>
    </message>
    <message>
        <source>{limit} — longer is felt as a stutter</source>
        <translation>{limit} — 更长会感觉到卡顿</translation>
    </message>
    <message>
        <source>{limit} — longer than a refresh: a frame is missed</source>
        <translation>{limit} — 超过一次刷新：错过一帧</translation>
    </message>
    <message>
        <source>{limit} — three refreshes long: felt as a stutter</source>
        <translation>{limit} — 持续三次刷新：会感觉到卡顿</translation>
    </message>
    <message>
        <source>{limit} — {times} usual frames: felt as a stutter</source>
        <translation>{limit} — 通常帧时间的 {times} 倍：会感觉到卡顿</translation>
    </message>
    <message>
        <source>“Low” is the mean rate of the slowest hundredth of them.</source>
        <translation>“low”是其中最慢百分之一的平均帧率。</translation>
    </message>
</context>
<context>
    <name>LanesView</name>
    <message>
        <source>Back to the usual lanes</source>
        <translation>恢复为默认图表</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Move down ({keys})</source>
        <translation>下移（{keys}）</translation>
    </message>
    <message>
        <source>Move up ({keys})</source>
        <translation>上移（{keys}）</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>The last one stays: something has to be shown.</source>
        <translation>最后一项会保留：总要显示些内容。</translation>
    </message>
    <message>
        <source>Tick what is shown. Drag, or Alt with an arrow, to order.</source>
        <translation>勾选要显示的图表。拖动，或按 Alt 加方向键调整顺序。</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>上移</translation>
    </message>
</context>
<context>
    <name>Language</name>
    <message>
        <source>en</source>
        <comment>the name of this file: de, zh_CN</comment>
        <translation>zh_CN</translation>
    </message>
</context>
<context>
    <name>LeftAlone</name>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Details of {setting}</source>
        <translation>{setting} 的详情</translation>
    </message>
    <message>
        <source>Set by something else — left alone</source>
        <translation>由其他程序设置 — 未改动</translation>
    </message>
    <message numerus="yes">
        <source>Show %n more</source>
        <translation>
            <numerusform>再显示 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>from {file}</source>
        <translation>来自 {file}</translation>
    </message>
    <message>
        <source>set since the start by somebody or some program</source>
        <translation>启动之后由某人或某个程序设置</translation>
    </message>
    <message>
        <source>{origin}; the next start brings {value}, by {file}</source>
        <translation>{origin}；下次启动将由 {file} 设为 {value}</translation>
    </message>
</context>
<context>
    <name>LeftRow</name>
    <message>
        <source>What still makes it stutter</source>
        <translation>仍然造成卡顿的原因</translation>
    </message>
</context>
<context>
    <name>LiveHeader</name>
    <message>
        <source>Choose a program…</source>
        <translation>选择程序…</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>Mark this moment</source>
        <translation>标记此刻</translation>
    </message>
    <message>
        <source>Mark this moment in the recording ({keys})</source>
        <translation>在录制中标记此刻（{keys}）</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Record session</source>
        <translation>录制会话</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Stop  {time}</source>
        <translation>停止  {time}</translation>
    </message>
    <message>
        <source>Stop the recording</source>
        <translation>停止录制</translation>
    </message>
    <message>
        <source>The graphs stand still; measuring goes on (Space)</source>
        <translation>图表静止不动；测量仍在进行（空格键）</translation>
    </message>
    <message>
        <source>Time in view</source>
        <translation>显示的时间范围</translation>
    </message>
    <message>
        <source>Watch the whole computer</source>
        <translation>监视整台计算机</translation>
    </message>
    <message>
        <source>Watched: {name}</source>
        <translation>正在监视：{name}</translation>
    </message>
    <message>
        <source>Whole computer</source>
        <translation>整台计算机</translation>
    </message>
    <message>
        <source>running {time}</source>
        <translation>已运行 {time}</translation>
    </message>
</context>
<context>
    <name>LiveLanes</name>
    <message>
        <source>Lanes</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Not measured here so far.</source>
        <translation>此处尚未测量。</translation>
    </message>
    <message>
        <source>This drive was not used so far, or is not there.</source>
        <translation>该驱动器尚未使用，或不存在。</translation>
    </message>
</context>
<context>
    <name>LivePage</name>
    <message>
        <source>Choose a program…</source>
        <translation>选择程序…</translation>
    </message>
    <message>
        <source>Last {span}, updated {count} times a second</source>
        <translation>最近 {span}，每秒更新 {count} 次</translation>
    </message>
    <message>
        <source>Let the graphs stand still, or go on</source>
        <translation>图表停住或继续</translation>
    </message>
    <message>
        <source>Nothing is measured any more</source>
        <translation>已不再测量</translation>
    </message>
    <message>
        <source>Recording {name}</source>
        <translation>录制 {name}</translation>
    </message>
    <message>
        <source>Start a game and Destutter will notice it. Or watch the whole computer now: memory, disk and CPU delays are measured either way.</source>
        <translation>启动一个游戏，Destutter 会注意到它。也可以现在就监视整台计算机：无论如何都会测量内存、磁盘和 CPU 的延迟。</translation>
    </message>
    <message>
        <source>The graphs stand still; measuring goes on</source>
        <translation>图表静止不动；测量仍在进行</translation>
    </message>
    <message>
        <source>The whole computer; the Flatpak&apos;s sandbox hides games</source>
        <translation>整台计算机；Flatpak 的沙盒隐藏了游戏</translation>
    </message>
    <message>
        <source>Watch the whole computer</source>
        <translation>监视整台计算机</translation>
    </message>
    <message>
        <source>What is not measured</source>
        <translation>哪些未测量</translation>
    </message>
    <message>
        <source>{count} more</source>
        <translation>另有 {count} 项</translation>
    </message>
    <message>
        <source>{recording}. {end}</source>
        <translation>{recording}。{end}</translation>
    </message>
</context>
<context>
    <name>LivePanels</name>
    <message>
        <source>Choose a program</source>
        <translation>选择程序</translation>
    </message>
    <message>
        <source>Stutters of the last {minutes} minutes</source>
        <translation>最近 {minutes} 分钟的卡顿</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message numerus="yes">
        <source>Causes: %n explain stutters</source>
        <translation>
            <numerusform>原因：%n 项可解释卡顿</numerusform>
        </translation>
    </message>
    <message>
        <source>Destutter uses {share} of one core, {memory}</source>
        <translation>Destutter 使用一个核心的 {share}，内存 {memory}</translation>
    </message>
    <message>
        <source>Recording started</source>
        <translation>录制已开始</translation>
    </message>
    <message>
        <source>Recording stopped</source>
        <translation>录制已停止</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>{program} — recording</source>
        <translation>{program} — 正在录制</translation>
    </message>
</context>
<context>
    <name>MarkLegend</name>
    <message>
        <source>below min, programs free memory themselves and wait</source>
        <translation>低于 min 时，程序自行释放内存并等待</translation>
    </message>
    <message>
        <source>the background works until this much is free</source>
        <translation>后台持续工作，直到空闲内存达到此值</translation>
    </message>
    <message>
        <source>the lead: the background frees memory, nobody waits</source>
        <translation>提前量：后台释放内存，没有程序等待</translation>
    </message>
    <message>
        <source>the marks of now</source>
        <translation>当前的水位线</translation>
    </message>
</context>
<context>
    <name>MeasureTable</name>
    <message>
        <source>Measures</source>
        <translation>指标</translation>
    </message>
</context>
<context>
    <name>MeasuredList</name>
    <message>
        <source>In the graph</source>
        <translation>在图表中</translation>
    </message>
    <message>
        <source>Show this moment on the live page</source>
        <translation>在“实时”页显示此刻</translation>
    </message>
    <message>
        <source>Show {signal} in the graph</source>
        <translation>在图表中显示 {signal}</translation>
    </message>
    <message>
        <source>Show {time} on the live page</source>
        <translation>在“实时”页显示 {time}</translation>
    </message>
    <message>
        <source>from {value}</source>
        <translation>从 {value} 起</translation>
    </message>
    <message>
        <source>shown above</source>
        <translation>显示于上方</translation>
    </message>
</context>
<context>
    <name>MenuOffer</name>
    <message>
        <source>Destutter is in your desktop&apos;s menu now; Settings takes it out again</source>
        <translation>Destutter 现已在桌面菜单中；可在设置中移除</translation>
    </message>
    <message>
        <source>Destutter is not in your desktop&apos;s menu yet</source>
        <translation>Destutter 尚未加入桌面菜单</translation>
    </message>
    <message>
        <source>Not in the menu: {reason}</source>
        <translation>未加入菜单：{reason}</translation>
    </message>
    <message>
        <source>Put it there</source>
        <translation>加入菜单</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>Missing</name>
    <message>
        <source>Disk latency is not measured.</source>
        <translation>未测量磁盘延迟。</translation>
    </message>
    <message>
        <source>Pressure is not measured.</source>
        <translation>未测量压力。</translation>
    </message>
    <message>
        <source>The kernel&apos;s memory counters are not measured.</source>
        <translation>未测量内核的内存计数器。</translation>
    </message>
    <message>
        <source>The other measurements go on. To turn it on, start the kernel with psi=1.</source>
        <translation>其他测量继续进行。要开启它，请以 psi=1 启动内核。</translation>
    </message>
    <message>
        <source>This is not measured.</source>
        <translation>此项未测量。</translation>
    </message>
    <message>
        <source>This kernel does not report pressure (PSI).</source>
        <translation>此内核不报告压力（PSI）。</translation>
    </message>
    <message>
        <source>Wake-up delay is not measured.</source>
        <translation>未测量唤醒延迟。</translation>
    </message>
</context>
<context>
    <name>MissingRow</name>
    <message>
        <source>Show me how</source>
        <translation>显示方法</translation>
    </message>
</context>
<context>
    <name>Notes</name>
    <message>
        <source>In a virtual machine the host can also cause stutter; Destutter cannot see it.</source>
        <translation>在虚拟机中，宿主也可能造成卡顿；Destutter 看不到这一点。</translation>
    </message>
    <message>
        <source>In a virtual machine the host can also cause stutter; of that only the processor time that it takes can be seen.</source>
        <translation>在虚拟机中，宿主机也可能导致卡顿；其中只能看到它占用的处理器时间。</translation>
    </message>
    <message>
        <source>Not measured: {what} — {reason}</source>
        <translation>未测量：{what} — {reason}</translation>
    </message>
    <message>
        <source>Taken by the host now: {share}.</source>
        <translation>当前被宿主占用：{share}。</translation>
    </message>
</context>
<context>
    <name>Notification</name>
    <message>
        <source>A setting was changed by something else</source>
        <translation>有设置被其他程序更改</translation>
    </message>
    <message>
        <source>Recording finished</source>
        <translation>录制已完成</translation>
    </message>
    <message>
        <source>The old values are back.</source>
        <translation>旧值已恢复。</translation>
    </message>
    <message>
        <source>The trial has ended</source>
        <translation>试用已结束</translation>
    </message>
</context>
<context>
    <name>OfferRow</name>
    <message>
        <source>Close: {text}</source>
        <translation>关闭：{text}</translation>
    </message>
</context>
<context>
    <name>OtherHelp</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy {word}</source>
        <translation>复制 {word}</translation>
    </message>
</context>
<context>
    <name>Outcomes</name>
    <message>
        <source>No program asks for passwords in this session, so the right could not be given. Start your desktop&apos;s polkit agent, or copy the commands.</source>
        <translation>此会话中没有程序可以询问密码，因此无法授予权限。请启动桌面的 polkit 代理，或复制命令。</translation>
    </message>
    <message>
        <source>Not changed</source>
        <translation>未更改</translation>
    </message>
    <message>
        <source>Not changed: the helper does not answer</source>
        <translation>未更改：辅助服务没有应答</translation>
    </message>
    <message>
        <source>The helper is not installed or cannot be started.</source>
        <translation>辅助服务未安装或无法启动。</translation>
    </message>
    <message>
        <source>The helper stopped in the middle</source>
        <translation>辅助服务中途停止</translation>
    </message>
    <message>
        <source>The system&apos;s authorisation service (polkit) does not work, so nobody could be asked.</source>
        <translation>系统的授权服务（polkit）无法工作，因此无法请求授权。</translation>
    </message>
    <message>
        <source>What it had begun is taken back as soon as it runs again. {reason}</source>
        <translation>已开始的部分会在它再次运行时立即恢复。{reason}</translation>
    </message>
    <message>
        <source>Your account may not change system settings. An administrator can, or copy the commands.</source>
        <translation>此账户无权更改系统设置。可由管理员更改，或复制命令。</translation>
    </message>
    <message>
        <source>{reason}. Nothing else was applied.</source>
        <translation>{reason}。其他更改均未应用。</translation>
    </message>
</context>
<context>
    <name>Pages</name>
    <message>
        <source>About the helper</source>
        <translation>关于辅助服务</translation>
    </message>
    <message>
        <source>Causes</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>Copy commands</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>For a fair comparison both need {minutes} minutes of play: before, and with it.</source>
        <translation>要公平比较，之前和试用时都需要 {minutes} 分钟的游戏。</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>向导</translation>
    </message>
    <message>
        <source>Keep for every start</source>
        <translation>每次启动都保留</translation>
    </message>
    <message>
        <source>Keep for this game</source>
        <translation>为此游戏保留</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>Measuring stopped</source>
        <translation>测量已停止</translation>
    </message>
    <message>
        <source>No game is running</source>
        <translation>没有游戏在运行</translation>
    </message>
    <message>
        <source>Reading the recording… {percent}</source>
        <translation>正在读取录制… {percent}</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Show the cause</source>
        <translation>显示原因</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>恢复原值</translation>
    </message>
    <message>
        <source>The values from before are back.</source>
        <translation>之前的值已恢复。</translation>
    </message>
    <message>
        <source>Try for this flight</source>
        <translation>在这次飞行中试用</translation>
    </message>
    <message>
        <source>Try for this game</source>
        <translation>在这次游戏中试用</translation>
    </message>
</context>
<context>
    <name>PhaseRow</name>
    <message>
        <source>As measured</source>
        <translation>按测量结果</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>The ramp-up ends after</source>
        <translation>爬升结束于</translation>
    </message>
    <message>
        <source>The warm-up ends after</source>
        <translation>预热结束于</translation>
    </message>
    <message>
        <source>Use these phases</source>
        <translation>使用这些阶段</translation>
    </message>
</context>
<context>
    <name>Played</name>
    <message numerus="yes">
        <source>%n stutter(s)</source>
        <comment>while playing</comment>
        <translation>
            <numerusform>%n 次卡顿</numerusform>
        </translation>
    </message>
    <message>
        <source>A game filled this screen for {time}.</source>
        <translation>一个游戏全屏占用此屏幕 {time}。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>While you played: no stutter.</source>
        <translation>游戏期间：没有卡顿。</translation>
    </message>
    <message>
        <source>While you played: {stutters}, {time} lost.</source>
        <translation>游戏期间：{stutters}，损失 {time}。</translation>
    </message>
    <message>
        <source>{count} of them: {cause}.</source>
        <translation>其中 {count} 次：{cause}。</translation>
    </message>
</context>
<context>
    <name>ProgramChooser</name>
    <message>
        <source>Part of the name</source>
        <translation>名称的一部分</translation>
    </message>
    <message>
        <source>Part of the program&apos;s name</source>
        <translation>程序名称的一部分</translation>
    </message>
    <message>
        <source>Programs</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Programs that use the processor now.</source>
        <translation>正在使用处理器的程序。</translation>
    </message>
    <message>
        <source>The Flatpak&apos;s sandbox hides all other programs until Destutter&apos;s helper is set up.</source>
        <translation>在设置 Destutter 的辅助服务之前，Flatpak 沙盒会隐藏所有其他程序。</translation>
    </message>
    <message>
        <source>The programs are being looked at…</source>
        <translation>正在查看程序…</translation>
    </message>
    <message>
        <source>Watch this program</source>
        <translation>监视此程序</translation>
    </message>
</context>
<context>
    <name>ReadingView</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Progress of reading</source>
        <translation>读取进度</translation>
    </message>
    <message>
        <source>Reading the recording…</source>
        <translation>正在读取录制…</translation>
    </message>
</context>
<context>
    <name>RecordButton</name>
    <message>
        <source>Record session</source>
        <translation>录制会话</translation>
    </message>
    <message>
        <source>Stop  {time}</source>
        <translation>停止  {time}</translation>
    </message>
    <message>
        <source>Stop the recording</source>
        <translation>停止录制</translation>
    </message>
</context>
<context>
    <name>RecordPanel</name>
    <message>
        <source>How much of the recording is done</source>
        <translation>录制完成了多少</translation>
    </message>
    <message>
        <source>In the rest nothing was measured.</source>
        <translation>其余时间没有测量。</translation>
    </message>
    <message>
        <source>Latest wake-up</source>
        <translation>最长延迟</translation>
    </message>
    <message>
        <source>Longest frame</source>
        <translation>最长的帧</translation>
    </message>
    <message>
        <source>Longest stutter</source>
        <translation>最长的卡顿</translation>
    </message>
    <message>
        <source>Short of memory for</source>
        <translation>内存不足时长</translation>
    </message>
    <message>
        <source>Slowest drive</source>
        <translation>最慢的驱动器</translation>
    </message>
    <message>
        <source>Stutters found</source>
        <translation>发现的卡顿</translation>
    </message>
    <message>
        <source>The latest wake-ups, from the start until now</source>
        <translation>从开始到现在最晚的唤醒</translation>
    </message>
    <message>
        <source>The longest frames, from the start until now</source>
        <translation>从开始到现在最长的帧</translation>
    </message>
    <message>
        <source>recorded, which is enough</source>
        <translation>已录制，已经足够</translation>
    </message>
    <message>
        <source>recorded, which is enough: it can be stopped</source>
        <translation>已录制，已经足够：可以停止</translation>
    </message>
    <message>
        <source>recorded; at least {time} are needed</source>
        <translation>已录制；至少需要 {time}</translation>
    </message>
    <message>
        <source>so far</source>
        <translation>目前</translation>
    </message>
    <message>
        <source>stands still: no frames come (pause, loading, or no game)</source>
        <translation>已停住：没有帧传来（暂停、加载或没有游戏）</translation>
    </message>
    <message>
        <source>{counted} of {passed} count.</source>
        <translation>{passed} 中有 {counted} 计入。</translation>
    </message>
    <message>
        <source>{count} marked by you</source>
        <translation>手动标记 {count} 次</translation>
    </message>
    <message>
        <source>{time} after the start</source>
        <translation>开始后 {time}</translation>
    </message>
</context>
<context>
    <name>RecordStep</name>
    <message>
        <source>Analyse</source>
        <translation>分析</translation>
    </message>
    <message>
        <source>Go on with it, or record again.</source>
        <translation>以此继续，或再次录制。</translation>
    </message>
    <message>
        <source>Measuring has not begun yet.</source>
        <translation>测量尚未开始。</translation>
    </message>
    <message>
        <source>Play as usual</source>
        <translation>照常游玩</translation>
    </message>
    <message>
        <source>Record again</source>
        <translation>再次录制</translation>
    </message>
    <message>
        <source>Record how it is now</source>
        <translation>录制现在的状况</translation>
    </message>
    <message>
        <source>Start recording</source>
        <translation>开始录制</translation>
    </message>
    <message>
        <source>Start the game first: Destutter notices it within half a minute. If it does not, choose it on the Live page, at the top. Without a game, the whole computer is recorded.</source>
        <translation>请先启动游戏：Destutter 会在半分钟内发现它。如果没有，请在“实时”页面顶部选择它。没有游戏时，会录制整台电脑。</translation>
    </message>
    <message>
        <source>Stop and analyse</source>
        <translation>停止并分析</translation>
    </message>
    <message>
        <source>Switch to the game and play for {minutes} minutes or more. Stutters are found by themselves; {keys} in this window marks a moment of your own.</source>
        <translation>切换到游戏，游玩 {minutes} 分钟或更久。卡顿会被自动找到；在此窗口按 {keys} 可标记您自己的时刻。</translation>
    </message>
    <message>
        <source>The recording is there</source>
        <translation>录制已就绪</translation>
    </message>
    <message>
        <source>{game} runs. Start the recording, then play the part that stutters.</source>
        <translation>{game} 正在运行。开始录制，然后玩出现卡顿的部分。</translation>
    </message>
</context>
<context>
    <name>RenameRow</name>
    <message>
        <source>A recording needs a name</source>
        <translation>录制需要名称</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>New name</source>
        <translation>新名称</translation>
    </message>
    <message>
        <source>New name of the recording</source>
        <translation>录制的新名称</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Without “/”, not with a dot at the front, and shorter</source>
        <translation>不能含“/”，不能以点开头，且需更短</translation>
    </message>
</context>
<context>
    <name>ReplayBar</name>
    <message>
        <source>Back to live</source>
        <translation>回到实时</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>{at} of {length}</source>
        <translation>{at} / {length}</translation>
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
        <translation>在此有帮助，但可能拖慢其他工作。</translation>
    </message>
    <message>
        <source>May keep the computer from starting; kept only after a successful trial.</source>
        <translation>可能使计算机无法启动；只有试用成功后才保留。</translation>
    </message>
    <message>
        <source>One value, back to the old one at any time.</source>
        <translation>只有一个值，随时可恢复为旧值。</translation>
    </message>
</context>
<context>
    <name>SeekBar</name>
    <message>
        <source>Click to go there; the marks are stutters</source>
        <translation>单击可跳转；标记为卡顿</translation>
    </message>
    <message>
        <source>Position in the recording</source>
        <translation>录制中的位置</translation>
    </message>
</context>
<context>
    <name>SessionColumn</name>
    <message>
        <source>By game, name, date, comment or what came out</source>
        <translation>按游戏、名称、日期、备注或结果</translation>
    </message>
    <message>
        <source>No other recording has these words</source>
        <translation>没有其他录制包含这些词</translation>
    </message>
    <message>
        <source>No recording has these words</source>
        <translation>没有录制包含这些词</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search recordings</source>
        <translation>搜索录制</translation>
    </message>
    <message>
        <source>{before} before, {after} after. The keys A and B move one.</source>
        <translation>之前 {before} 个，之后 {after} 个。按 A 或 B 键可移动一个。</translation>
    </message>
</context>
<context>
    <name>SessionGraph</name>
    <message>
        <source>Closer</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Farther</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Read the value to the left</source>
        <translation>读取左侧的值</translation>
    </message>
    <message>
        <source>Read the value to the right</source>
        <translation>读取右侧的值</translation>
    </message>
    <message>
        <source>Whole recording</source>
        <translation>整个录制</translation>
    </message>
</context>
<context>
    <name>SessionHead</name>
    <message>
        <source>Can be undone. Delete in the list</source>
        <translation>可以撤销。在列表中按 Delete</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>F2 in the list</source>
        <translation>在列表中按 F2</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>回放</translation>
    </message>
    <message>
        <source>Show this recording in the Live page</source>
        <translation>在“实时”页显示此录制</translation>
    </message>
</context>
<context>
    <name>SessionList</name>
    <message>
        <source>Compare as after (B)</source>
        <translation>作为“之后”对比（B）</translation>
    </message>
    <message>
        <source>Compare as before (A)</source>
        <translation>作为“之前”对比（A）</translation>
    </message>
    <message>
        <source>Compare it, or no longer</source>
        <translation>对比它，或取消对比</translation>
    </message>
    <message>
        <source>Delete; can be undone</source>
        <translation>删除；可撤销</translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation>录制</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Show this recording</source>
        <translation>显示此录制</translation>
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
        <translation>生成报告</translation>
    </message>
    <message>
        <source>No game</source>
        <translation>没有游戏</translation>
    </message>
    <message>
        <source>Not readable</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Recording now</source>
        <translation>正在录制</translation>
    </message>
    <message>
        <source>Saved as {name}</source>
        <translation>已保存为 {name}</translation>
    </message>
    <message>
        <source>The comment on {name} was not kept</source>
        <translation>{name} 的备注未能保存</translation>
    </message>
    <message>
        <source>The folder of recordings cannot be read</source>
        <translation>无法读取录制文件夹</translation>
    </message>
    <message>
        <source>The recording ended by itself</source>
        <translation>录制已自行结束</translation>
    </message>
    <message>
        <source>The report is in the clipboard</source>
        <translation>报告已在剪贴板中</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>format of a date of this year</comment>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <comment>format of a date of another year</comment>
        <translation>yyyy年M月d日</translation>
    </message>
    <message>
        <source>in {folder}</source>
        <translation>位于 {folder}</translation>
    </message>
    <message>
        <source>{name} cannot be read</source>
        <translation>无法读取 {name}</translation>
    </message>
    <message>
        <source>{name} was not brought back</source>
        <translation>{name} 未能还原</translation>
    </message>
    <message>
        <source>{name} was not deleted</source>
        <translation>{name} 未删除</translation>
    </message>
    <message>
        <source>{name} was not imported</source>
        <translation>{name} 未导入</translation>
    </message>
    <message>
        <source>{name} was not renamed</source>
        <translation>{name} 未重命名</translation>
    </message>
    <message>
        <source>{name} was not saved</source>
        <translation>{name} 未保存</translation>
    </message>
    <message>
        <source>{played} of {length} count</source>
        <translation>{length} 中计入 {played}</translation>
    </message>
    <message>
        <source>“{name}” was deleted</source>
        <translation>已删除“{name}”</translation>
    </message>
</context>
<context>
    <name>SessionsHeader</name>
    <message>
        <source>Importing {name}…</source>
        <translation>正在导入 {name}…</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Logs of MangoHud and CapFrameX, and recordings of Destutter</source>
        <translation>MangoHud 和 CapFrameX 的日志，以及 Destutter 的录制</translation>
    </message>
    <message>
        <source>Record a game before and after a change, then compare</source>
        <translation>在更改前后各录制一次游戏，然后比较</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
</context>
<context>
    <name>SessionsPage</name>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>No recordings yet</source>
        <translation>还没有录制</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Record session</source>
        <translation>录制会话</translation>
    </message>
    <message>
        <source>Record while you play, change something, and record again: Destutter tells whether it helped. Logs of MangoHud and CapFrameX can be imported.</source>
        <translation>玩游戏时录制，更改某项，再次录制：Destutter 会说明是否有帮助。可以导入 MangoHud 和 CapFrameX 的日志。</translation>
    </message>
</context>
<context>
    <name>SettingRowView</name>
    <message>
        <source>Change {setting} to {value}</source>
        <translation>将 {setting} 改为 {value}</translation>
    </message>
    <message>
        <source>Decide…</source>
        <translation>决定…</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Details: {setting}</source>
        <translation>详情：{setting}</translation>
    </message>
    <message>
        <source>Read the details first</source>
        <translation>请先阅读详情</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>ticked together with “{names}”</source>
        <translation>与“{names}”一起勾选</translation>
    </message>
    <message>
        <source>{action}: {setting}</source>
        <translation>{action}：{setting}</translation>
    </message>
</context>
<context>
    <name>SettingTable</name>
    <message>
        <source>Expected effect</source>
        <translation>预期效果</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>Risk</source>
        <translation>风险</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>当时</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message numerus="yes">
        <source>%n page(s)</source>
        <translation>
            <numerusform>%n 页</numerusform>
        </translation>
    </message>
    <message>
        <source>always</source>
        <translation>始终</translation>
    </message>
    <message>
        <source>deep sleep</source>
        <translation>深睡眠</translation>
    </message>
    <message>
        <source>each in turn</source>
        <translation>轮流</translation>
    </message>
    <message>
        <source>later</source>
        <translation>稍后</translation>
    </message>
    <message>
        <source>light sleep</source>
        <translation>浅睡眠</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>never asleep</source>
        <translation>从不休眠</translation>
    </message>
    <message>
        <source>not held</source>
        <translation>未保持</translation>
    </message>
    <message>
        <source>not readable</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开启</translation>
    </message>
    <message>
        <source>on request</source>
        <translation>按请求</translation>
    </message>
    <message>
        <source>on request, else later</source>
        <translation>按请求，否则稍后</translation>
    </message>
    <message>
        <source>who asks first</source>
        <translation>先请求者</translation>
    </message>
    <message>
        <source>who needs little</source>
        <translation>请求少者</translation>
    </message>
    <message>
        <source>who reads</source>
        <translation>读取者</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>A small program that wakes {count} times a second. It finds hiccups of the whole computer, also without a game&apos;s frame times. Measuring begins anew.</source>
        <translation>一个每秒唤醒 {count} 次的小程序。即使没有游戏的帧时间，它也能发现整台电脑的停顿。测量会重新开始。</translation>
    </message>
    <message>
        <source>Advice follows it: how much memory is kept free, what may sleep.</source>
        <translation>建议据此而定：保留多少空闲内存，哪些部件可以休眠。</translation>
    </message>
    <message>
        <source>An entry that starts this file. Off: it is taken out again.</source>
        <translation>添加启动此文件的菜单项。关闭：将其移除。</translation>
    </message>
    <message>
        <source>Any game</source>
        <translation>任意游戏</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>明暗</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>跟随桌面</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>询问</translation>
    </message>
    <message>
        <source>Chinese, simplified</source>
        <translation>简体中文</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Dark or light. The window changes at once.</source>
        <translation>深色或浅色。窗口立即改变。</translation>
    </message>
    <message>
        <source>Folder of recordings</source>
        <translation>录制文件夹</translation>
    </message>
    <message>
        <source>Folder, from the next start on</source>
        <translation>文件夹，下次启动起生效</translation>
    </message>
    <message>
        <source>From the next start on.</source>
        <translation>下次启动起生效。</translation>
    </message>
    <message>
        <source>Icon in the tray</source>
        <translation>系统托盘图标</translation>
    </message>
    <message>
        <source>In the background Destutter goes on measuring. {keys} always quits.</source>
        <translation>在后台，Destutter 会继续测量。{keys} 始终可以退出。</translation>
    </message>
    <message>
        <source>In the desktop&apos;s menu</source>
        <translation>在桌面菜单中</translation>
    </message>
    <message>
        <source>Keep measuring</source>
        <translation>继续测量</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Measure the wake-up delay</source>
        <translation>测量唤醒延迟</translation>
    </message>
    <message>
        <source>Measuring and advice</source>
        <translation>测量与建议</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Off: the pages wait for a game, or for a program that you choose.</source>
        <translation>关闭时：各页面会等待游戏，或等待您选择的程序。</translation>
    </message>
    <message>
        <source>On the desktop</source>
        <translation>在桌面上</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation>录制</translation>
    </message>
    <message>
        <source>Sampling interval</source>
        <translation>采样间隔</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Shorter finds shorter stutters and costs more. Above {longest} a drive that sleeps is not found. Measuring begins anew.</source>
        <translation>间隔越短，能发现的卡顿越短，开销也越大。超过 {longest} 时无法发现休眠的驱动器。测量将重新开始。</translation>
    </message>
    <message>
        <source>Start with the desktop</source>
        <translation>随桌面启动</translation>
    </message>
    <message>
        <source>The helper</source>
        <translation>辅助服务</translation>
    </message>
    <message>
        <source>Use the usual folder</source>
        <translation>使用默认文件夹</translation>
    </message>
    <message>
        <source>Watch the whole computer while no game runs</source>
        <translation>没有游戏运行时监视整台计算机</translation>
    </message>
    <message>
        <source>What is played</source>
        <translation>所玩的游戏类型</translation>
    </message>
    <message>
        <source>What it is for, how to get it, and how to remove it.</source>
        <translation>它的用途、如何获取以及如何移除。</translation>
    </message>
    <message>
        <source>When a recording is finished, a trial has ended, or something else changed a setting. At most one in {minutes} minutes, never about a stutter.</source>
        <translation>录制完成、试用结束或设置被其他程序更改时通知。每 {minutes} 分钟最多一次，卡顿从不通知。</translation>
    </message>
    <message>
        <source>When the window closes</source>
        <translation>关闭窗口时</translation>
    </message>
    <message>
        <source>Where the desktop has a tray. Everything works without it.</source>
        <translation>适用于有系统托盘的桌面。没有它，一切也照常工作。</translation>
    </message>
    <message>
        <source>Without a window, so that what is kept for a game is set when you play. Start Destutter once more to see it.</source>
        <translation>不显示窗口，这样您玩游戏时，为游戏保留的内容就会生效。再次启动 Destutter 即可看到它。</translation>
    </message>
</context>
<context>
    <name>SidePanel</name>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭（Esc）</translation>
    </message>
    <message>
        <source>Close the panel</source>
        <translation>关闭面板</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Helper does not fit</source>
        <translation>辅助服务不匹配</translation>
    </message>
    <message>
        <source>Helper fails</source>
        <translation>辅助服务无法工作</translation>
    </message>
    <message>
        <source>Helper ready</source>
        <translation>辅助服务就绪</translation>
    </message>
    <message>
        <source>No helper</source>
        <translation>没有辅助服务</translation>
    </message>
    <message>
        <source>measuring only</source>
        <translation>仅测量</translation>
    </message>
    <message>
        <source>newer than this program</source>
        <translation>比此程序新</translation>
    </message>
    <message>
        <source>older than this program</source>
        <translation>比此程序旧</translation>
    </message>
    <message>
        <source>settings can be changed</source>
        <translation>可以更改设置</translation>
    </message>
    <message>
        <source>{page}, a recording runs</source>
        <translation>{page}，正在录制</translation>
    </message>
    <message>
        <source>{title}, {detail}</source>
        <translation>{title}，{detail}</translation>
    </message>
</context>
<context>
    <name>Step</name>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
</context>
<context>
    <name>Stepper</name>
    <message>
        <source>Back to this step</source>
        <translation>返回此步骤</translation>
    </message>
    <message>
        <source>Step {number} of {count}: {name}</source>
        <translation>第 {number} 步，共 {count} 步：{name}</translation>
    </message>
</context>
<context>
    <name>Strip</name>
    <message numerus="yes">
        <source>%n in {minutes} min</source>
        <comment>stutters</comment>
        <translation>
            <numerusform>{minutes} min 内 %n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>Close the strip</source>
        <translation>关闭悬浮条</translation>
    </message>
    <message>
        <source>Compact strip</source>
        <translation>精简悬浮条</translation>
    </message>
    <message>
        <source>Destutter strip</source>
        <translation>Destutter 悬浮条</translation>
    </message>
    <message>
        <source>Keep on top</source>
        <translation>保持在最前</translation>
    </message>
    <message>
        <source>Keep on top: right-click the window in the task bar, More Actions, Keep Above Others (KDE)</source>
        <translation>保持在最前：在任务栏中右键单击该窗口，选择“更多操作”“常居顶端”（KDE）</translation>
    </message>
    <message>
        <source>Mark this moment</source>
        <translation>标记此刻</translation>
    </message>
    <message>
        <source>No stutter</source>
        <translation>没有卡顿</translation>
    </message>
    <message>
        <source>Open Destutter</source>
        <translation>打开 Destutter</translation>
    </message>
    <message>
        <source>Or begin with: {command}</source>
        <translation>或以此启动：{command}</translation>
    </message>
    <message>
        <source>Quit Destutter</source>
        <translation>退出 Destutter</translation>
    </message>
    <message>
        <source>Record session</source>
        <translation>录制会话</translation>
    </message>
    <message>
        <source>Stop recording</source>
        <translation>停止录制</translation>
    </message>
    <message>
        <source>Stutter, {length}</source>
        <translation>卡顿，{length}</translation>
    </message>
    <message>
        <source>frame time</source>
        <translation>帧时间</translation>
    </message>
    <message>
        <source>in the last {minutes} minutes</source>
        <translation>在过去 {minutes} 分钟内</translation>
    </message>
    <message>
        <source>measuring</source>
        <translation>正在测量</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>wake-up delay</source>
        <translation>唤醒延迟</translation>
    </message>
    <message>
        <source>{age} · {count}</source>
        <translation>{age} · {count}</translation>
    </message>
    <message>
        <source>{cause}, {length}</source>
        <translation>{cause}，{length}</translation>
    </message>
    <message>
        <source>{time} ago</source>
        <translation>{time} 前</translation>
    </message>
</context>
<context>
    <name>StripRow</name>
    <message>
        <source>Frames of more than {limit} and {times} times the usual one; those less than {apart} apart are one stutter, for {most} at most. Without frame times: how long the game stood still, or how late the processor woke a program.</source>
        <translation>耗时超过 {limit} 且超过平常 {times} 倍的帧；彼此相隔不到 {apart} 的算作一次卡顿，最多 {most}。没有帧时间时：游戏停顿了多久，或处理器唤醒程序晚了多久。</translation>
    </message>
    <message>
        <source>Show the stutters as a list</source>
        <translation>以列表显示卡顿</translation>
    </message>
    <message>
        <source>Stutters</source>
        <translation>卡顿</translation>
    </message>
    <message>
        <source>none in {span}</source>
        <translation>{span} 内没有</translation>
    </message>
    <message>
        <source>{count} in {span}</source>
        <translation>{span} 内 {count} 次</translation>
    </message>
</context>
<context>
    <name>StutterList</name>
    <message>
        <source>No cause found</source>
        <translation>未找到原因</translation>
    </message>
    <message>
        <source>No stutter in the last {minutes} minutes.</source>
        <translation>过去 {minutes} 分钟内没有卡顿。</translation>
    </message>
    <message>
        <source>Nothing outside the game found</source>
        <translation>未发现游戏之外的原因</translation>
    </message>
    <message>
        <source>Possibly: {cause}</source>
        <translation>可能是：{cause}</translation>
    </message>
    <message>
        <source>Stutters</source>
        <translation>卡顿</translation>
    </message>
</context>
<context>
    <name>System</name>
    <message numerus="yes">
        <source>%n quieter one(s) are not listed.</source>
        <translation>
            <numerusform>另有 %n 个较少的未列出。</numerusform>
        </translation>
    </message>
    <message>
        <source>A file of the kernel</source>
        <translation>内核文件</translation>
    </message>
    <message>
        <source>Area</source>
        <translation>交换区</translation>
    </message>
    <message>
        <source>Below low: being freed</source>
        <translation>低于 low：正在释放</translation>
    </message>
    <message>
        <source>Below min: programs wait</source>
        <translation>低于 min：程序等待</translation>
    </message>
    <message>
        <source>Between low and high</source>
        <translation>介于 low 与 high 之间</translation>
    </message>
    <message>
        <source>Busiest interrupts</source>
        <translation>最繁忙的中断</translation>
    </message>
    <message>
        <source>Call path of the longest wait in the kernel</source>
        <translation>内核中最长等待的调用路径</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>更改内容</translation>
    </message>
    <message>
        <source>Clock source</source>
        <translation>时钟源</translation>
    </message>
    <message>
        <source>Compression</source>
        <translation>压缩</translation>
    </message>
    <message>
        <source>Control group</source>
        <translation>控制组</translation>
    </message>
    <message>
        <source>Core</source>
        <translation>核心</translation>
    </message>
    <message>
        <source>Cost: about {time} more for each interrupt.</source>
        <translation>开销：每次中断约多 {time}。</translation>
    </message>
    <message>
        <source>Cost: about {time} more for each page that has to be read.</source>
        <translation>开销：每个需要读取的页面约多 {time}。</translation>
    </message>
    <message>
        <source>Cost: about {time} more for each sleep for a drive or a lock.</source>
        <translation>开销：每次因驱动器或锁而休眠约多 {time}。</translation>
    </message>
    <message>
        <source>Cost: about {time} more for each wait, some for each frame.</source>
        <translation>开销：每次等待约多 {time}，每帧有若干次。</translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation>发行版</translation>
    </message>
    <message>
        <source>Drive</source>
        <translation>驱动器</translation>
    </message>
    <message>
        <source>Drives</source>
        <translation>驱动器</translation>
    </message>
    <message>
        <source>Drives/s</source>
        <translation>驱动器/秒</translation>
    </message>
    <message>
        <source>Enough free</source>
        <translation>空闲充足</translation>
    </message>
    <message>
        <source>Everything that Destutter knows is measured here.</source>
        <translation>Destutter 所知的各项在此均已测量。</translation>
    </message>
    <message>
        <source>Failing</source>
        <translation>即将失效</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Files of which the game&apos;s threads waited for pages</source>
        <translation>游戏线程等待其页面的文件</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Free memory below the mark low: the kernel frees more in the background. Below the mark min, the program that asks for memory waits for it.</source>
        <translation>空闲内存低于水位线 low 时，内核在后台回收更多内存；低于 min 时，请求内存的程序必须等待。</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>函数</translation>
    </message>
    <message>
        <source>Good</source>
        <translation>良好</translation>
    </message>
    <message>
        <source>Graphics card</source>
        <translation>显卡</translation>
    </message>
    <message>
        <source>Handler</source>
        <translation>处理程序</translation>
    </message>
    <message>
        <source>Health</source>
        <translation>健康状况</translation>
    </message>
    <message>
        <source>How long an NVMe drive needs to wake up stands in the drive itself, and only the helper may ask it.</source>
        <translation>NVMe 驱动器唤醒需要多久记录在驱动器内部，只有助手可以查询。</translation>
    </message>
    <message>
        <source>How often</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>In all</source>
        <translation>总计</translation>
    </message>
    <message>
        <source>Interrupt</source>
        <translation>中断</translation>
    </message>
    <message>
        <source>Interrupts per core</source>
        <translation>每个核心的中断</translation>
    </message>
    <message>
        <source>Interrupts that stopped the game&apos;s threads</source>
        <translation>打断游戏线程的中断</translation>
    </message>
    <message>
        <source>Interrupts/s</source>
        <translation>中断/秒</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Kernel and clock</source>
        <translation>内核与时钟</translation>
    </message>
    <message>
        <source>Longest</source>
        <translation>最长</translation>
    </message>
    <message>
        <source>Managed</source>
        <translation>受管理</translation>
    </message>
    <message>
        <source>Mark high</source>
        <translation>水位线 high</translation>
    </message>
    <message>
        <source>Mark low</source>
        <translation>水位线 low</translation>
    </message>
    <message>
        <source>Mark min</source>
        <translation>水位线 min</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Memory zones</source>
        <translation>内存区域</translation>
    </message>
    <message>
        <source>NVMe</source>
        <translation>NVMe</translation>
    </message>
    <message>
        <source>NVMe power states</source>
        <translation>NVMe 电源状态</translation>
    </message>
    <message>
        <source>Network/s</source>
        <translation>网络/秒</translation>
    </message>
    <message>
        <source>No drive is visible here.</source>
        <translation>在此看不到驱动器。</translation>
    </message>
    <message>
        <source>No interrupt comes once a second or more.</source>
        <translation>没有每秒一次或更频繁的中断。</translation>
    </message>
    <message>
        <source>No interrupt stopped a thread of the game.</source>
        <translation>没有中断打断游戏的线程。</translation>
    </message>
    <message>
        <source>No program runs under a real-time policy.</source>
        <translation>没有程序以实时策略运行。</translation>
    </message>
    <message>
        <source>No thread of the game slept for {time} in the kernel.</source>
        <translation>游戏没有线程在内核中休眠达到 {time}。</translation>
    </message>
    <message>
        <source>No thread of the game waited for a page of a file.</source>
        <translation>游戏的线程没有等待文件的页面。</translation>
    </message>
    <message>
        <source>No thread of the game waited for the graphics card.</source>
        <translation>游戏的线程没有等待显卡。</translation>
    </message>
    <message>
        <source>None of the known ones runs.</source>
        <translation>已知的工具均未运行。</translation>
    </message>
    <message>
        <source>Not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>Not measured here</source>
        <translation>在此未测量</translation>
    </message>
    <message>
        <source>Not measured: the Flatpak&apos;s sandbox hides all other programs.</source>
        <translation>未测量：Flatpak 的沙盒隐藏了所有其他程序。</translation>
    </message>
    <message>
        <source>Not measured: the event {event} is in Linux {version} and newer only.</source>
        <translation>未测量：事件 {event} 仅存在于 Linux {version} 及更新版本。</translation>
    </message>
    <message>
        <source>Not measured: this kernel has no event {event}.</source>
        <translation>未测量：此内核没有事件 {event}。</translation>
    </message>
    <message>
        <source>Nothing is measured yet.</source>
        <translation>尚未测量到任何数据。</translation>
    </message>
    <message>
        <source>Nothing to show</source>
        <translation>无内容</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>Of one core</source>
        <translation>单核占用</translation>
    </message>
    <message>
        <source>Other tools that change settings</source>
        <translation>更改设置的其他工具</translation>
    </message>
    <message>
        <source>Others/s</source>
        <translation>其他/秒</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>PCI Express power saving</source>
        <translation>PCI Express 节能</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部件</translation>
    </message>
    <message>
        <source>Per second</source>
        <translation>每秒</translation>
    </message>
    <message>
        <source>Policy and priority</source>
        <translation>策略与优先级</translation>
    </message>
    <message>
        <source>Power saving</source>
        <translation>节能</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>优先级</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Queue depth</source>
        <translation>队列深度</translation>
    </message>
    <message>
        <source>Readahead</source>
        <translation>预读</translation>
    </message>
    <message>
        <source>Real-time limit</source>
        <translation>实时上限</translation>
    </message>
    <message>
        <source>Real-time threads</source>
        <translation>实时线程</translation>
    </message>
    <message>
        <source>SATA SSD</source>
        <translation>SATA SSD</translation>
    </message>
    <message>
        <source>Scheduler</source>
        <translation>调度器</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Started with</source>
        <translation>启动命令行</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Swap and huge pages</source>
        <translation>交换（swap）与大页</translation>
    </message>
    <message>
        <source>Swap: {kind}. zswap: {zswap}. Transparent huge pages: {thp}, defrag {defrag}.</source>
        <translation>交换（swap）：{kind}。zswap：{zswap}。透明大页：{thp}，碎片整理（defrag）：{defrag}。</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>The kernel&apos;s zones cannot be read.</source>
        <translation>无法读取内核的内存区域。</translation>
    </message>
    <message>
        <source>This is not measured here.</source>
        <translation>此项在此未测量。</translation>
    </message>
    <message>
        <source>Thread</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Thread, driver</source>
        <translation>线程、驱动</translation>
    </message>
    <message>
        <source>Time in interrupts</source>
        <translation>中断占用的时间</translation>
    </message>
    <message>
        <source>Timer/s</source>
        <translation>定时器/秒</translation>
    </message>
    <message>
        <source>UDisks2 did not answer</source>
        <translation>UDisks2 没有应答</translation>
    </message>
    <message>
        <source>UDisks2 does not run</source>
        <translation>UDisks2 没有运行</translation>
    </message>
    <message>
        <source>USB drive</source>
        <translation>USB 驱动器</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>已用</translation>
    </message>
    <message>
        <source>Virtual machine</source>
        <translation>虚拟机</translation>
    </message>
    <message>
        <source>Waits of the game&apos;s threads for the graphics card</source>
        <translation>游戏线程等待显卡</translation>
    </message>
    <message>
        <source>What</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Write throttling</source>
        <translation>写入限流</translation>
    </message>
    <message>
        <source>Zone</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>a drive behind zswap</source>
        <translation>zswap 之后的驱动器</translation>
    </message>
    <message>
        <source>a real-time thread that runs wild takes the whole core</source>
        <translation>失控的实时线程会占满整个核心</translation>
    </message>
    <message>
        <source>also there: {others}</source>
        <translation>另有：{others}</translation>
    </message>
    <message>
        <source>compressed in memory (zram)</source>
        <translation>在内存中压缩（zram）</translation>
    </message>
    <message>
        <source>drive: {depth}</source>
        <translation>驱动器：{depth}</translation>
    </message>
    <message>
        <source>hard disk</source>
        <translation>硬盘</translation>
    </message>
    <message>
        <source>hidden by the Flatpak&apos;s sandbox</source>
        <translation>被 Flatpak 的沙盒隐藏</translation>
    </message>
    <message>
        <source>may sleep</source>
        <translation>可以休眠</translation>
    </message>
    <message>
        <source>memory card</source>
        <translation>存储卡</translation>
    </message>
    <message>
        <source>never sleeps by itself</source>
        <translation>从不自行休眠</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>no NVMe driver</source>
        <translation>没有 NVMe 驱动程序</translation>
    </message>
    <message>
        <source>no system bus</source>
        <translation>没有系统总线</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>not a drive of its own</source>
        <translation>不是独立的驱动器</translation>
    </message>
    <message>
        <source>not in this kernel</source>
        <translation>此内核没有</translation>
    </message>
    <message>
        <source>not in this queue</source>
        <translation>此队列没有</translation>
    </message>
    <message>
        <source>of several or unknown kinds</source>
        <translation>多种或未知类型</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开启</translation>
    </message>
    <message>
        <source>on a hard disk</source>
        <translation>在硬盘上</translation>
    </message>
    <message>
        <source>on an SSD</source>
        <translation>在 SSD 上</translation>
    </message>
    <message>
        <source>on top of other storage</source>
        <translation>位于其他存储之上</translation>
    </message>
    <message>
        <source>save your data</source>
        <translation>请备份数据</translation>
    </message>
    <message>
        <source>slow: every look at the clock costs a game time</source>
        <translation>慢：每次查看时钟都会耗费游戏的时间</translation>
    </message>
    <message>
        <source>target for reads</source>
        <translation>读的目标值</translation>
    </message>
    <message>
        <source>the Flatpak may not ask UDisks2</source>
        <translation>Flatpak 不能询问 UDisks2</translation>
    </message>
    <message>
        <source>the drive does not tell UDisks2</source>
        <translation>驱动器不向 UDisks2 提供此信息</translation>
    </message>
    <message>
        <source>those that wake within {time}</source>
        <translation>能在 {time} 内唤醒的状态</translation>
    </message>
    <message>
        <source>tolerates {time} µs</source>
        <translation>容许 {time} µs</translation>
    </message>
    <message>
        <source>up to {clock}</source>
        <translation>最高 {clock}</translation>
    </message>
    <message>
        <source>virtual drive</source>
        <translation>虚拟驱动器</translation>
    </message>
    <message>
        <source>wakes in {times}</source>
        <translation>{times} 内唤醒</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>zram first, then a drive</source>
        <translation>先 zram，后驱动器</translation>
    </message>
    <message>
        <source>{count} cores</source>
        <translation>{count} 个核心</translation>
    </message>
    <message>
        <source>{count} dies with a cache of their own: {sizes}</source>
        <translation>{count} 个各有缓存的芯片：{sizes}</translation>
    </message>
    <message>
        <source>{count} events in {time}, read with {share} of a core.</source>
        <translation>{time}内 {count} 个事件，读取占用一个核心的 {share}。</translation>
    </message>
    <message>
        <source>{count} threads</source>
        <translation>{count} 个线程</translation>
    </message>
    <message>
        <source>{ratio} to 1</source>
        <translation>{ratio}:1</translation>
    </message>
    <message>
        <source>{share} busy</source>
        <translation>{share} 占用</translation>
    </message>
    <message>
        <source>{share} of each second</source>
        <translation>每秒的 {share}</translation>
    </message>
    <message>
        <source>{size} available</source>
        <translation>可用 {size}</translation>
    </message>
    <message>
        <source>{size} cache</source>
        <translation>{size} 缓存</translation>
    </message>
    <message>
        <source>{size} free</source>
        <translation>剩余 {size}</translation>
    </message>
    <message>
        <source>{size} of its memory in use</source>
        <translation>已用显存 {size}</translation>
    </message>
    <message>
        <source>{thread} slept {time}; a recording has no call paths.</source>
        <translation>{thread} 休眠了 {time}；录制中没有调用路径。</translation>
    </message>
    <message>
        <source>{thread} slept {time}; its call path is kept no more.</source>
        <translation>{thread} 休眠了 {time}；其调用路径已不再保留。</translation>
    </message>
    <message>
        <source>{thread} slept {time}; the innermost function stands first.</source>
        <translation>{thread} 休眠了 {time}；最内层的函数排在最前。</translation>
    </message>
    <message>
        <source>{time} not measured in full.</source>
        <translation>{time}未完整测量。</translation>
    </message>
    <message>
        <source>{what}: {why}</source>
        <translation>{what}：{why}</translation>
    </message>
</context>
<context>
    <name>SystemPage</name>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Inside the kernel</source>
        <translation>内核内部</translation>
    </message>
    <message>
        <source>Rates and threads are those of the recording; all else is this computer</source>
        <translation>速率和线程来自录制；其余均为这台计算机的信息</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>此计算机</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>What stops the threads of the game, by the kernel&apos;s own word</source>
        <translation>据内核所述，是什么打断了游戏的线程</translation>
    </message>
    <message>
        <source>What this computer is made of and how it is set, read every {seconds} seconds</source>
        <translation>这台计算机的组成与设置，每 {seconds} 秒读取一次</translation>
    </message>
</context>
<context>
    <name>Tile</name>
    <message>
        <source>Measuring</source>
        <translation>正在测量</translation>
    </message>
    <message>
        <source>{group}: {state}</source>
        <translation>{group}：{state}</translation>
    </message>
    <message>
        <source>{state}: {reason}</source>
        <translation>{state}：{reason}</translation>
    </message>
</context>
<context>
    <name>TimeRow</name>
    <message>
        <source>Back to now</source>
        <translation>回到现在</translation>
    </message>
    <message>
        <source>Choose the lanes</source>
        <translation>选择图表</translation>
    </message>
    <message>
        <source>Choose which graphs are shown, and their order</source>
        <translation>选择显示哪些图表及其顺序</translation>
    </message>
    <message>
        <source>Lanes…</source>
        <translation>图表…</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>{time} behind</source>
        <translation>落后 {time}</translation>
    </message>
</context>
<context>
    <name>TraceRow</name>
    <message>
        <source>A closer look tells which part of the game waited, for what and how long.</source>
        <translation>仔细查看可得知游戏的哪一部分在等待、等待什么以及等了多久。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Look closer</source>
        <translation>深入查看</translation>
    </message>
    <message>
        <source>Looking closer, but not at the game&apos;s waits for a core: {reason}</source>
        <translation>正在深入查看，但看不到游戏等待处理器核心的情况：{reason}</translation>
    </message>
    <message>
        <source>Looking closer: the kernel records what the game&apos;s threads wait for.</source>
        <translation>正在深入查看：内核在记录游戏线程等待什么。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Waiting for your password…</source>
        <translation>正在等待输入密码…</translation>
    </message>
</context>
<context>
    <name>TracedTable</name>
    <message>
        <source>Show this moment on the live page</source>
        <translation>在“实时”页显示此刻</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Mark this moment</source>
        <translation>标记此刻</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>正在测量…</translation>
    </message>
    <message>
        <source>Open Destutter</source>
        <translation>打开 Destutter</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Record session</source>
        <translation>录制会话</translation>
    </message>
    <message>
        <source>Show the strip</source>
        <translation>显示悬浮条</translation>
    </message>
    <message>
        <source>Stop recording</source>
        <translation>停止录制</translation>
    </message>
    <message>
        <source>Undo all changes</source>
        <translation>撤销全部更改</translation>
    </message>
</context>
<context>
    <name>TrialBanner</name>
    <message numerus="yes">
        <source>%n change(s) on trial for as long as {game} runs</source>
        <translation>
            <numerusform>{game} 运行期间试用 %n 项更改</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) on trial, reverting in {seconds} seconds</source>
        <translation>
            <numerusform>%n 项设置正在试用，{seconds} 秒后恢复</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) on trial.</source>
        <translation>
            <numerusform>%n 项设置正在试用。</numerusform>
        </translation>
    </message>
    <message>
        <source>Another program began this trial and decides what is kept.</source>
        <translation>此试用由另一个程序开始，并由它决定保留什么。</translation>
    </message>
    <message>
        <source>Go back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>If you do nothing, or the computer stops responding, the old values come back by themselves.</source>
        <translation>若不操作，或计算机停止响应，旧值会自行恢复。</translation>
    </message>
    <message>
        <source>Keep for every start?</source>
        <translation>每次启动都保留？</translation>
    </message>
    <message>
        <source>Keep for every start? Reverting in {time}</source>
        <translation>每次启动都保留？{time} 后恢复</translation>
    </message>
    <message>
        <source>Keep these settings? Reverting in {time}</source>
        <translation>保留这些设置？{time} 后恢复</translation>
    </message>
    <message>
        <source>Keep until restart</source>
        <translation>保留至重启</translation>
    </message>
    <message>
        <source>One of these settings may keep the computer from starting. It can be left out at a start with “destutter=off” on the kernel&apos;s command line.</source>
        <translation>其中一项设置可能使计算机无法启动。启动时在内核命令行加上“destutter=off”即可略过它。</translation>
    </message>
    <message>
        <source>Revert now</source>
        <translation>立即恢复</translation>
    </message>
    <message>
        <source>Settings on trial, reverting in {time}</source>
        <translation>设置正在试用，{time} 后恢复</translation>
    </message>
    <message>
        <source>Stop the trial</source>
        <translation>结束试用</translation>
    </message>
    <message>
        <source>The old values come back by themselves when {game} or Destutter ends, and when the computer stops responding.</source>
        <translation>当 {game} 或 Destutter 结束，或电脑停止响应时，旧值会自动恢复。</translation>
    </message>
    <message>
        <source>Waiting for your password… The window for it may be behind this one.</source>
        <translation>正在等待输入密码… 密码窗口可能在此窗口后面。</translation>
    </message>
    <message>
        <source>{count} {rest}</source>
        <translation>{count}{rest}</translation>
    </message>
    <message>
        <source>{time} more</source>
        <translation>延长 {time}</translation>
    </message>
</context>
<context>
    <name>TrialRequests</name>
    <message>
        <source>Copied. Paste it into a terminal.</source>
        <translation>已复制。请粘贴到终端。</translation>
    </message>
    <message>
        <source>Copied: {text}</source>
        <translation>已复制：{text}</translation>
    </message>
    <message>
        <source>Every change can be undone.</source>
        <translation>每项更改都可以撤销。</translation>
    </message>
    <message>
        <source>No setting helps against this.</source>
        <translation>没有设置能对此有所帮助。</translation>
    </message>
    <message>
        <source>Settings of this computer cannot be read here.</source>
        <translation>在此无法读取这台计算机的设置。</translation>
    </message>
    <message>
        <source>The drive itself says that it wakes in {times}</source>
        <translation>驱动器自己说它在 {times} 内唤醒</translation>
    </message>
    <message>
        <source>The evidence is too weak to advise a change. It may become clearer with more stutters.</source>
        <translation>证据太弱，无法建议更改。出现更多卡顿后可能会更清楚。</translation>
    </message>
    <message>
        <source>There is no command for this: {reason}</source>
        <translation>没有对应的命令：{reason}</translation>
    </message>
</context>
<context>
    <name>TunableDetail</name>
    <message>
        <source>Accepted here</source>
        <translation>在此可接受</translation>
    </message>
    <message>
        <source>Advised</source>
        <translation>建议值</translation>
    </message>
    <message>
        <source>After an undo</source>
        <translation>撤销之后</translation>
    </message>
    <message>
        <source>Before Destutter</source>
        <translation>使用 Destutter 之前</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>代价</translation>
    </message>
    <message>
        <source>Next start</source>
        <translation>下次启动</translation>
    </message>
    <message>
        <source>Not available</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Risk</source>
        <translation>风险</translation>
    </message>
    <message>
        <source>Set by</source>
        <translation>设置者</translation>
    </message>
    <message>
        <source>The kernel takes</source>
        <translation>内核可接受</translation>
    </message>
    <message>
        <source>When not</source>
        <translation>何时不适用</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>{value}, by {file}</source>
        <translation>{value}，由 {file} 设置</translation>
    </message>
</context>
<context>
    <name>TunableTree</name>
    <message>
        <source>Accepted here</source>
        <translation>在此可接受</translation>
    </message>
    <message>
        <source>Advised</source>
        <translation>建议值</translation>
    </message>
    <message>
        <source>All settings</source>
        <translation>全部设置</translation>
    </message>
    <message>
        <source>New value</source>
        <translation>新值</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Set by</source>
        <translation>设置者</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>the size of the memory is not known</source>
        <translation>内存大小未知</translation>
    </message>
    <message>
        <source>{name}: {why}</source>
        <translation>{name}：{why}</translation>
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
        <translation>驱动器 {name}</translation>
    </message>
    <message>
        <source>Huge pages</source>
        <translation>大页</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Not here</source>
        <translation>此处没有</translation>
    </message>
    <message>
        <source>Power saving of drives</source>
        <translation>驱动器节能</translation>
    </message>
    <message>
        <source>Processor and kernel threads</source>
        <translation>处理器与内核线程</translation>
    </message>
    <message>
        <source>Unwritten data</source>
        <translation>未写入数据</translation>
    </message>
    <message>
        <source>not in force</source>
        <translation>未生效</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>other, fifo:{low} to fifo:{high}</source>
        <translation>other、fifo:{low} 到 fifo:{high}</translation>
    </message>
    <message>
        <source>{low} to {high}</source>
        <translation>{low} 到 {high}</translation>
    </message>
    <message>
        <source>{low} to {high} ({unit})</source>
        <comment>a range of numbers and their unit</comment>
        <translation>{low} 到 {high}（{unit}）</translation>
    </message>
</context>
<context>
    <name>TunablesView</name>
    <message numerus="yes">
        <source>%n change(s) chosen.</source>
        <translation>
            <numerusform>已选择 %n 项更改。</numerusform>
        </translation>
    </message>
    <message>
        <source>A trial is running. Keep it or revert it first.</source>
        <translation>有试用正在进行。请先保留或恢复它。</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Apply keeps them until the next restart.</source>
        <translation>“应用”使其保留至下次重启。</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Enter a new value, or tick a setting that has an advised one.</source>
        <translation>输入新值，或勾选有建议值的设置。</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Stop waiting</source>
        <translation>停止等待</translation>
    </message>
    <message>
        <source>The commands are in the clipboard.</source>
        <translation>命令已在剪贴板中。</translation>
    </message>
    <message>
        <source>Try for {seconds} seconds</source>
        <translation>试用 {seconds} 秒</translation>
    </message>
    <message>
        <source>Waiting for your password… The window for it may be behind this one.</source>
        <translation>正在等待输入密码… 密码窗口可能在此窗口后面。</translation>
    </message>
    <message>
        <source>What is kept for {game} is set. Revert it to try something else.</source>
        <translation>为 {game} 保留的设置已生效。要试用别的设置，请先恢复它。</translation>
    </message>
    <message>
        <source>Without the helper, values can be copied as commands.</source>
        <translation>没有辅助服务时，可以将值复制为命令。</translation>
    </message>
    <message>
        <source>{count} {rest}</source>
        <translation>{count}{rest}</translation>
    </message>
</context>
<context>
    <name>TuningInWindow</name>
    <message numerus="yes">
        <source>%n change(s) for {game}</source>
        <translation>
            <numerusform>为 {game} 更改 %n 项</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n change(s) on trial</source>
        <translation>
            <numerusform>%n 项更改正在试用</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Changes, %n made by Destutter</source>
        <translation>
            <numerusform>更改，其中 %n 项由 Destutter 所做</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo the last change</source>
        <translation>撤销最近的更改</translation>
    </message>
</context>
<context>
    <name>VerdictView</name>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
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
        <translation>代价：程序和文件可用的内存减少 {size}。</translation>
    </message>
    <message>
        <source>Costs nothing more than now.</source>
        <translation>代价不比现在多。</translation>
    </message>
    <message>
        <source>Gain: {size} more memory for programs and files.</source>
        <translation>收益：程序和文件可用的内存增加 {size}。</translation>
    </message>
    <message>
        <source>Lead: {lead}. At a demand of {rate}/s, for example, it lasts {time}.</source>
        <translation>提前量：{lead}。例如需求为 {rate}/s 时，可维持 {time}。</translation>
    </message>
    <message>
        <source>Lead: {lead}. It lasts {time} at the highest demand measured here, {rate}/s.</source>
        <translation>提前量：{lead}。按此处测得的最高需求 {rate}/s，可维持 {time}。</translation>
    </message>
    <message>
        <source>{setting}: {share} of each zone</source>
        <translation>{setting}：每个区域的 {share}</translation>
    </message>
    <message>
        <source>{setting}: {value}</source>
        <translation>{setting}：{value}</translation>
    </message>
</context>
<context>
    <name>WelcomeStep</name>
    <message>
        <source>Administrator password</source>
        <translation>管理员密码</translation>
    </message>
    <message>
        <source>Asked for only to set up the helper or to change a setting. Measuring works without.</source>
        <translation>只在安装辅助服务或更改设置时才询问。测量不需要。</translation>
    </message>
    <message>
        <source>Destutter measures in the background and shows what that costs.</source>
        <translation>Destutter 在后台测量，并显示其开销。</translation>
    </message>
    <message>
        <source>Each one comes with the evidence, so you can judge it yourself.</source>
        <translation>每个原因都附有证据，可以自行判断。</translation>
    </message>
    <message>
        <source>Every change can be undone, exactly, with one click.</source>
        <translation>每项更改都可以一键精确撤销。</translation>
    </message>
    <message>
        <source>Find out why your game stutters</source>
        <translation>找出游戏卡顿的原因</translation>
    </message>
    <message>
        <source>Play for {minutes} minutes</source>
        <translation>玩 {minutes} 分钟</translation>
    </message>
    <message>
        <source>See the causes in plain language</source>
        <translation>以通俗语言查看原因</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>This takes about {minutes} minutes, most of it playing. Nothing is changed until you say so.</source>
        <translation>约需 {minutes} 分钟，大部分时间是玩游戏。未经确认，不会更改任何设置。</translation>
    </message>
    <message>
        <source>Try changes safely</source>
        <translation>安全地试用更改</translation>
    </message>
</context>
<context>
    <name>XPlaneView</name>
    <message>
        <source>Address of X-Plane, HOST:PORT</source>
        <translation>X-Plane 的地址，HOST:PORT</translation>
    </message>
    <message>
        <source>An address is like {example}.</source>
        <translation>地址的格式如 {example}。</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Connect X-Plane…</source>
        <translation>连接 X-Plane…</translation>
    </message>
    <message>
        <source>Forget this address</source>
        <translation>忘记此地址</translation>
    </message>
    <message>
        <source>X-Plane on this computer is found by itself as soon as it runs. On another computer, or when it is not found, connect it by its address.</source>
        <translation>本机上的 X-Plane 一旦运行就会被自动找到。如果它在另一台电脑上，或没有被找到，请用地址连接。</translation>
    </message>
</context>
<context>
    <name>ZoneBars</name>
    <message>
        <source>Marks of each memory zone</source>
        <translation>各内存区域的水位线</translation>
    </message>
    <message>
        <source>min {min} · low {low} · high {high}</source>
        <translation>min {min} · low {low} · high {high}</translation>
    </message>
    <message>
        <source>{zone}: min {min}, low {low}, high {high}</source>
        <translation>{zone}：min {min}，low {low}，high {high}</translation>
    </message>
</context>
<context>
    <name>_Editor</name>
    <message>
        <source>New value of {setting}</source>
        <translation>{setting} 的新值</translation>
    </message>
</context>
<context>
    <name>_NoticeRow</name>
    <message>
        <source>Close: {text}</source>
        <translation>关闭：{text}</translation>
    </message>
</context>
</TS>
