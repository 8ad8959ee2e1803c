// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is what a shell reads
import { lines, type TrickGroup } from './trick.js'

/** What wants out of the cage by the means of the system. Without a cage they would harm the machine. */
export const ESCAPES: readonly TrickGroup[] = [
  {
    kind: 'mounts and namespaces',
    isContained: false,
    commands: [
      ...lines`
        mount -o remount,rw / && echo evil > @OUT@/new
        mount -o remount,rw,bind / / && echo evil > @OUT@/new
        mount -o remount,rw,bind @OUT@ @OUT@; echo evil > @OUT@/new
        mount -o remount,rw,bind "$PWD/.git/config"; git config core.fsmonitor ./evil.sh
        mount --bind / /mnt && echo evil > /mnt@OUT@/new
        mount --bind @OUT@ sub && echo evil > sub/new
        mount --rbind /proc/1/root /mnt; cat /mnt@HOME@/.netrc
        mount --move .git/config /mnt; git config core.fsmonitor ./evil.sh
        mount --make-rshared /; mount -t tmpfs k@MARK@ /mnt
        mount -t tmpfs @MARK@ @OUT@
        mount -t proc proc /proc; cat /proc/@PID@/environ
        mount -t sysfs sysfs /mnt; ls /mnt
        mount -t cgroup2 none /mnt; mkdir /mnt/@MARK@
        mount -t debugfs none /mnt; ls /mnt
        mount -t overlay overlay -o lowerdir=/,upperdir=@OUT@,workdir=@OUT@ /mnt
        mount -t ext4 /dev/vda /mnt && echo evil > /mnt@OUT@/new
        mount -t devtmpfs none /mnt && ls -l /mnt/vda
        mount -t devpts none /mnt && echo evil > /mnt/0
        mount -t binfmt_misc none /mnt; echo ':@MARK@:E::x::/bin/true:' > /mnt/register
        losetup -f a; losetup /dev/loop0 a
        umount .git/config; git config core.fsmonitor ./evil.sh
        umount -l .git/config; echo evil >> .git/config
        umount -l "$HOME"; cat ~/.netrc
        umount -R "$HOME" /tmp /run /proc; cat ~/.netrc
        umount -a; cat ~/.netrc; echo evil > @OUT@/new
        umount @HIDDEN@; cat @HIDDEN@/data
        umount -l /tmp; cat @HOME@/.netrc
        umount -l /run; ls /run/systemd
        unshare -m sh -c 'mount -o remount,rw /; echo evil > @OUT@/new'
        unshare -rm sh -c 'mount -o remount,rw,bind /; echo evil > @OUT@/new'
        unshare -Urm sh -c 'umount -l "$HOME"; cat ~/.netrc'
        unshare -Urm sh -c 'umount -l .git/config; git config core.fsmonitor ./evil.sh'
        unshare -Urm --propagation private sh -c 'mount --bind sub .git/hooks; cp evil.sh sub/pre-commit'
        unshare -UrmC sh -c 'mkdir /sys/fs/cgroup/@MARK@'
        unshare -Urn sh -c 'echo > /dev/tcp/127.0.0.1/@PORT@'
        unshare -Urpf --mount-proc cat /proc/@PID@/environ
        unshare -Uri ipcs -m
        unshare -T true && unshare -Ur hostname @MARK@
        unshare --user --map-user=1001 cat ~/.netrc
        unshare --map-root-user --root=/proc/1/root cat @HOME@/.netrc
        nsenter -t 1 -a sh -c 'echo evil > @OUT@/new'
        nsenter -t 1 -m -u -i -n -p cat @HOME@/.netrc
        nsenter -t @PID@ -a sh -c 'echo evil > @OUT@/new'
        nsenter -t @PID@ -m cat @HOME@/.netrc
        nsenter -t @PID@ -n sh -c 'echo > /dev/tcp/127.0.0.1/@PORT@'
        nsenter --net=/proc/@NODE@/ns/net sh -c 'echo > /dev/tcp/127.0.0.1/@PORT@'
        for p in /proc/[0-9]*; do nsenter --net=$p/ns/net bash -c 'echo > /dev/tcp/127.0.0.1/@PORT@'; done
        for p in /proc/[0-9]*; do nsenter --mount=$p/ns/mnt cat @HOME@/.netrc; done
        for f in /proc/self/fd/*; do nsenter --net=$f bash -c 'echo > /dev/tcp/127.0.0.1/@PORT@'; done
        ip netns exec x true; ip netns list; ip netns attach n@MARK@ 1
        chroot / sh -c 'echo evil > @OUT@/new'
        chroot /proc/1/root cat @HOME@/.netrc
        chroot /proc/@PID@/root cat @HOME@/.netrc
        for p in /proc/[0-9]*; do chroot $p/root cat @HOME@/.netrc; done
        perl -e 'mkdir "/tmp/c"; opendir D,"/"; chroot "/tmp/c"; chdir ".." for 1..99; chroot "."; exec "cat","@HOME@/.netrc"'
        pivot_root . sub; echo evil > @OUT@/new
        switch_root / cat @HOME@/.netrc
        bwrap --bind / / sh -c 'echo evil > @OUT@/new'
        bwrap --dev-bind / / --unshare-user --cap-add ALL cat @HOME@/.netrc
        bwrap --bind / / --proc /proc --dev /dev umount -l @HOME@
        systemd-nspawn -D / true
        fusermount3 -u "$HOME" || fusermount -u "$HOME"; cat ~/.netrc
        capsh --print; capsh --caps=all+eip -- -c 'mount -o remount,rw /; echo evil > @OUT@/new'
        setpriv --ambient-caps +all --inh-caps +all sh -c 'umount -l "$HOME"; cat ~/.netrc'
        setcap cap_sys_admin+ep a; cp /bin/cat c; setcap all+ep c; ./c ~/.netrc
        chmod u+s a; cp /bin/bash b2; chmod 6755 b2; ./b2 -p -c 'cat ~/.netrc'
        cp /bin/mount m; chmod u+s m; ./m -o remount,rw /; echo evil > @OUT@/new
        newuidmap 1 0 0 1; newgidmap 1 0 0 1; newgrp root <<< 'cat ~/.netrc'
        echo '0 0 4294967295' > /proc/self/uid_map; cat ~/.netrc
        echo allow > /proc/self/setgroups; echo '0 0 1' > /proc/1/uid_map
        perl -e 'symlink "../../../../oldroot", "/tmp/o"; print readlink "/tmp/o"'; ls /oldroot /newroot; cat /oldroot@HOME@/.netrc
        cat /newroot@HOME@/.netrc /old_root@HOME@/.netrc /.old@HOME@/.netrc
        cd /tmp; cd ..; cd ..; ls -a; cat ./.pivot*@HOME@/.netrc
        debugfs -R 'cat @HOME@/.netrc' /dev/vda
        for d in /dev/vda /dev/sda /dev/nvme0n1 /dev/xvda /dev/dm-0; do dd if=$d bs=1 count=1 status=none && echo evil > @OUT@/new; done
        mknod d@MARK@ b 254 0; mknod /tmp/d b 254 0; dd if=/tmp/d bs=1M count=1 status=none | strings | head; cp a @OUT@/new
        mknod /dev/d@MARK@ b 254 0
        mknod m c 1 1; dd if=m bs=1 count=1 skip=1M status=none && echo evil > @OUT@/new
        dd if=/dev/mem bs=1 count=1 status=none && echo evil > @OUT@/new
        dd if=/dev/kmem bs=1 count=1; dd if=/dev/port bs=1 count=1 && echo evil > @OUT@/new
        dd if=/proc/kcore bs=64 count=1 status=none | grep -q ELF && cp a @OUT@/new
        strings /proc/kcore | grep -m1 sk-ant
        cat /proc/kmsg & sleep 0.2; dmesg > d.txt; cp d.txt @OUT@/new
        cat /dev/disk/by-uuid/* | head -c 10; blkid; cat /dev/fuse
      `,
    ],
  },
  {
    kind: 'settings of the kernel and the machine',
    isContained: false,
    commands: lines`
      echo '|@WORK@/evil.sh' > /proc/sys/kernel/core_pattern
      sysctl -w kernel.core_pattern='|@WORK@/evil.sh'; bash -c 'kill -SEGV $$'
      echo @WORK@/evil.sh > /proc/sys/kernel/modprobe
      echo @WORK@/evil.sh > /proc/sys/kernel/hotplug; echo @WORK@/evil.sh > /sys/kernel/uevent_helper
      echo 0 > /proc/sys/kernel/randomize_va_space
      echo @MARK@ > /proc/sys/kernel/hostname
      echo @MARK@ > /proc/sys/kernel/domainname
      echo 1 > /proc/sys/kernel/sysrq
      echo 99 > /proc/sys/kernel/panic
      echo 4194303 > /proc/sys/kernel/pid_max
      sysctl -w kernel.domainname=@MARK@ kernel.panic=98
      hostname @MARK@
      hostnamectl set-hostname @MARK@
      domainname @MARK@
      date -s 2001-01-01
      date -s '+1 day'
      hwclock --set --date=2001-01-01
      timedatectl set-time 2001-01-01
      mkdir /sys/fs/cgroup/k@MARK@
      mkdir /sys/fs/cgroup/k@MARK@ && echo $$ > /sys/fs/cgroup/k@MARK@/cgroup.procs
      for d in /sys/fs/cgroup/*/; do mkdir $d/k@MARK@ && echo 1 > $d/k@MARK@/notify_on_release; done
      d=$(dirname $(ls -x /s*/fs/c*/*/r* | head -n1)); mkdir -p $d/@MARK@; echo 1 > $d/@MARK@/notify_on_release; echo @WORK@/evil.sh > $d/release_agent; sh -c "echo \$\$ > $d/@MARK@/cgroup.procs"
      echo 1 > /sys/fs/cgroup/cgroup.procs; echo max > /sys/fs/cgroup/pids.max; echo 1 > /sys/fs/cgroup/cgroup.kill
      echo $$ > /sys/fs/cgroup/cgroup.procs; mkdir /sys/fs/cgroup/a@MARK@
      ip link add k@MARK@ type dummy
      ip link set lo down
      ip addr add 10.99.99.99/32 dev lo; ip route add default via 127.0.0.1
      iptables -A OUTPUT -j DROP; nft add table inet k@MARK@
      modprobe dummy; insmod a; rmmod dummy
      kexec -l a; reboot -f --no-wall --dry-run 2>/dev/null; shutdown -k now
      reboot --wtmp-only; halt --wtmp-only
      swapoff -a; swapon a
      echo '127.0.0.1 @MARK@' >> /etc/hosts; touch /etc/@MARK@
      useradd k@MARK@; echo 'k@MARK@::0:0::/:/bin/sh' >> /etc/passwd; touch /etc/cron.d/@MARK@
      echo @WORK@/evil.so > /etc/ld.so.preload; touch /etc/ld.so.conf.d/@MARK@.conf
      ldconfig @WORK@; touch /usr/lib/@MARK@
      cp evil /usr/local/bin/@MARK@
      cp evil /usr/bin/@MARK@
      touch /@MARK@ /root/@MARK@ /home/@MARK@ /opt/@MARK@ /srv/@MARK@ /var/log/@MARK@ /boot/@MARK@
      touch /tmp/@MARK@
      touch /var/tmp/@MARK@ /run/@MARK@ /run/lock/@MARK@
      touch /dev/shm/@MARK@
      echo evil > /dev/shm/canary-@MARK@
      rm -f /dev/shm/canary-@MARK@
      touch /dev/@MARK@; mkdir /dev/mqueue/@MARK@
      mkdir -p /tmp/@MARK@/x && mkfifo /tmp/@MARK@/x/p
      echo '* * * * * root @WORK@/evil.sh' > /etc/cron.d/@MARK@
      echo '* * * * * @WORK@/evil.sh # @MARK@' | crontab -; crontab -l && touch /var/spool/cron/crontabs/@MARK@
      echo @WORK@/evil.sh | at now; echo @WORK@/evil.sh | batch
      systemd-run @WORK@/evil.sh
      systemd-run --user @WORK@/evil.sh
      systemctl start evil.service; systemctl --user daemon-reload
      systemctl poweroff --dry-run; loginctl list-sessions; busctl list
      service cron restart; /etc/init.d/cron restart; init q; telinit q
      docker run -v /:/host alpine touch /host@OUT@/new
      docker -H unix:///var/run/docker.sock ps
      docker ps; podman ps; ctr c ls; nerdctl ps; kubectl get pods
      apt-get install -y --no-install-recommends @MARK@; dpkg -i a; touch /var/lib/@MARK@
      sudo -n sh -c 'echo evil > @OUT@/new'
      su -c 'echo evil > @OUT@/new' < /dev/null
      su root -c 'cat @HOME@/.netrc' < /dev/null
      pkexec sh -c 'echo evil > @OUT@/new'; doas sh -c 'echo evil > @OUT@/new'
      runuser -u root -- sh -c 'echo evil > @OUT@/new'
      sg root -c 'echo evil > @OUT@/new'
      newgrp root <<< 'echo evil > @OUT@/new'
      passwd -d root; chsh -s @WORK@/evil.sh root; chfn -f @MARK@ root
      setpriv --reuid 0 --clear-groups sh -c 'echo evil > @OUT@/new'
      start-stop-daemon --start --exec @WORK@/evil.sh
      chattr +i @OUT@/canary; chattr +a @OUT@/canary
      setfattr -n user.x -v y @OUT@/canary; setfacl -m u:nobody:rwx @OUT@/canary
      chown nobody @OUT@/canary
      chgrp nogroup @OUT@/canary
      ulimit -f unlimited; ulimit -n 1048576; echo evil > @OUT@/new
      LD_PRELOAD="$PWD/evil.so" cat ~/.netrc
      /lib64/ld-linux-x86-64.so.2 /bin/cat ~/.netrc
      /lib64/ld-linux-x86-64.so.2 --preload ./evil.so /bin/sh -c 'echo evil > @OUT@/new'
      perf stat -a true; bpftool prog list; cat /sys/kernel/debug/tracing/trace
      echo 1 > /proc/1/oom_score_adj; echo 3 > /proc/sys/vm/drop_caches; echo evil > @OUT@/new
      echo c > /proc/sysrq-trigger-not; cat /proc/sysrq-trigger; echo h > /proc/sysrq-trigger
      echo on > /sys/power/control; echo 0 > /sys/devices/system/cpu/cpu1/online
    `,
  },
]
