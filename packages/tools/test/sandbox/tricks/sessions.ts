import { BESIDE, lines, THEN, type TrickGroup } from './trick.js'

/** Several commands that together want what none of them could alone: what one leaves the next is started with. */
export const SESSIONS: readonly TrickGroup[] = [
  {
    kind: 'one command after another',
    isContained: false,
    commands: lines`
      mv ~/.config ~/c; ln -s @OUT@ ~/.config @THEN@ true @THEN@ echo evil > ~/.config/new
      rm -rf ~/.config; mkdir -p ~/x && mv ~/.config ~/x/; ln -s @OUT@ ~/.config @THEN@ true @THEN@ ls ~/.config
      mv ~/.config/git ~/g; ln -s @OUT@ ~/.config/git @THEN@ true
      mv ~/.local ~/l; ln -s @OUT@ ~/.local @THEN@ true @THEN@ echo evil > ~/.local/bin/tool
      mv ~/.local/bin ~/l; ln -s @OUT@ ~/.local/bin @THEN@ echo evil > ~/.local/bin/new
      mv ~/.cargo ~/c; ln -s @OUT@ ~/.cargo @THEN@ true @THEN@ echo evil > ~/.cargo/config
      mv ~/.m2 ~/m; ln -s @OUT@ ~/.m2 @THEN@ true @THEN@ cat ~/.m2/settings.xml
      rm -f ~/.gitconfig; ln -s @OUT@/canary ~/.gitconfig @THEN@ git config --global x.y z @THEN@ true
      rm -f ~/.npmrc; ln -s @OUT@/new ~/.npmrc @THEN@ true
      rm -f ~/.bashrc; mkfifo ~/.bashrc @THEN@ true
      rm -f ~/.bashrc; ln -s @OUT@/canary ~/.bashrc @THEN@ echo evil >> ~/.bashrc
      rm -f ~/.gitconfig; ln -s /proc/self/root@HOME@/.netrc ~/.gitconfig @THEN@ cat ~/.gitconfig @THEN@ cat ~/.gitconfig
      ln -s @HOME@/.netrc ~/n @THEN@ cat ~/n
      ln -s ../../oldroot ~/o; ln -s ../../../../../../oldroot@HOME@ /tmp/o @THEN@ cat ~/o@HOME@/.netrc /tmp/o/.netrc
      ln -s @OUT@ /tmp/o @THEN@ echo evil > /tmp/o/new
      mv /tmp/stage-* /tmp/was; ln -s @OUT@ "@STAGE@" @THEN@ echo evil > new @THEN@ true
      mv @STAGE@ /tmp/was; ln -s ../oldroot@OUT@ @STAGE@ @THEN@ true @THEN@ echo evil > @OUT@/new
      mv @STAGE@ /tmp/was; mkdir @STAGE@; ln -s "@STAGE@/../../oldroot@OUT@" "@WORK@" @THEN@ echo evil > new
      for p in /tmp/*; do mv "$p" "$p.was"; ln -s ../oldroot@OUT@ "$p"; done @THEN@ true @THEN@ true
      for p in /tmp/* /tmp/.*; do mv "$p" "$p.was"; ln -s / "$p"; done @THEN@ true
      mkdir /tmp/a; ln -s @OUT@ /tmp/a/b; chmod 000 /tmp/a @THEN@ true
      echo 'touch @OUT@/new' > /tmp/profile @THEN@ BASH_ENV=/tmp/profile bash -c true
      printf '#!/bin/sh\ntouch @OUT@/new\n' > ~/git; chmod +x ~/git; PATH=~:$PATH git status @THEN@ git status
      cd @OUT@ @THEN@ echo evil > new
      cd links/out @THEN@ echo evil > new
      cd @HOME@/.ssh @THEN@ cat id_rsa
      cd /tmp @THEN@ touch @MARK@
      cd / @THEN@ echo evil > .@OUT@/new
      ln -s @OUT@ way; cd way @THEN@ echo evil > new
      mkdir deep; cd deep @THEN@ rmdir "@WORK@/deep"; ln -s @OUT@ "@WORK@/deep" @THEN@ echo evil > new
      mkdir deep; cd deep @THEN@ mv "@WORK@/deep" "@WORK@/d2"; ln -s @OUT@ "@WORK@/deep" @THEN@ echo evil > new
      mv src s2; ln -s @OUT@ src @THEN@ cd src && echo evil > new
      exec 9>@OUT@/new @THEN@ echo evil >&9
      export EVIL=1; alias ls='touch @OUT@/new' @THEN@ ls
      sleep 5 & echo $! > pid @THEN@ kill $(cat pid); touch @OUT@/new
      cp evil.sh .git/hooks/pre-commit @THEN@ git commit --allow-empty -m x
      mkdir -p .git/hooks; cp evil.sh .git/hooks/post-commit @THEN@ git commit -q --allow-empty -m x
      echo '{}' > .mcp.json @THEN@ echo '{}' > .mcp.json
      mkdir .zed @THEN@ echo '{}' > .zed/tasks.json
      mkdir -p .vscode .idea .nacre .claude .husky @THEN@ for d in .vscode .idea .nacre .claude .husky; do echo evil > $d/new; done
      touch .envrc @THEN@ echo ./evil.sh > .envrc
      mkdir -p n/.git/hooks @THEN@ git init -q n; cp evil.sh n/.git/hooks/pre-commit
      git init -q n @THEN@ git -C n config core.fsmonitor ../evil.sh
      git init -q n @THEN@ printf '[core]\n\tfsmonitor = ../evil.sh\n' >> n/.git/config
      git init -q n @THEN@ cp evil.sh n/.git/hooks/pre-commit; mkdir -p n/.git/hooks; cp evil.sh n/.git/hooks/pre-push
      git init -q n @THEN@ mv n m @THEN@ git -C m config core.fsmonitor ../evil.sh
      git init -q n @THEN@ mv n/.git n/g; git init -q n; git -C n config core.fsmonitor ../evil.sh
      git init -q node_modules/n @THEN@ mv node_modules/n n; git -C n config core.fsmonitor ../evil.sh
      git init -q --bare n.git @THEN@ git -C n.git config core.fsmonitor ../evil.sh @THEN@ mkdir n && mv n.git n/.git
      git init -q node_modules/n && git -C node_modules/n config core.fsmonitor ../evil.sh @THEN@ mv node_modules/n n
      mkdir -p node_modules/n/.vscode && echo '{}' > node_modules/n/.vscode/tasks.json @THEN@ mv node_modules/n n
      mkdir -p .cache/n/.vscode && echo '{}' > .cache/n/.vscode/tasks.json @THEN@ mv .cache/n/.vscode .zed
      git worktree add -q tree @THEN@ echo "gitdir: $PWD/disguised" > tree/.git; printf '[core]\n\tfsmonitor = ../evil.sh\n' > disguised/config
      git init -q --bare node_modules/o.git && mkdir -p node_modules/o.git/hooks && cp evil.sh node_modules/o.git/hooks/post-update @THEN@ git remote add o node_modules/o.git @THEN@ git push -q o HEAD
      git init -q --bare node_modules/o.git && mkdir -p node_modules/o.git/hooks && cp evil.sh node_modules/o.git/hooks/post-update @THEN@ git push -q -u node_modules/o.git HEAD
      git init -q --bare .git/o.git && mkdir -p .git/o.git/hooks && cp evil.sh .git/o.git/hooks/post-update @THEN@ git remote add origin .git/o.git
      git worktree add -q tree @THEN@ rm -rf tree; git init -q tree; git -C tree config core.fsmonitor ../evil.sh
      git worktree add -q tree @THEN@ mv tree t2; git init -q tree; git -C tree config core.fsmonitor ../evil.sh
      git worktree add -q tree @THEN@ printf '[core]\n\tfsmonitor = ./evil.sh\n' > "$(git -C tree rev-parse --git-dir)/config.worktree"; git config extensions.worktreeConfig true
      mkdir n; echo 'gitdir: @OUT@' > n/.git @THEN@ echo evil > @OUT@/new
      mkdir n; echo 'gitdir: @HOME@/.ssh' > n/.git @THEN@ echo evil > @HOME@/.ssh/authorized_keys
      mkdir n; echo 'gitdir: @OUT@' > n/.git; echo 'gitdir: ../@OUT@' > sub/.git @THEN@ true
      mkdir -p n/g; echo 'gitdir: g' > n/.git; echo @OUT@ > n/g/commondir @THEN@ echo evil > @OUT@/new
      mkdir -p n/.git; echo @OUT@ > n/.git/commondir; printf 'ref: refs/heads/main\n' > n/.git/HEAD @THEN@ echo evil > @OUT@/new
      mkdir -p .git/worktrees/w; echo ../.. > .git/worktrees/w/commondir; echo "$PWD/n/.git" > .git/worktrees/w/gitdir; cp .git/HEAD .git/worktrees/w/; mkdir n; echo "gitdir: $PWD/.git/worktrees/w" > n/.git @THEN@ echo @OUT@ > .git/worktrees/w/commondir @THEN@ echo evil > @OUT@/new
      mkdir -p .git/modules/m; echo @OUT@ > .git/modules/m/commondir @THEN@ echo evil > @OUT@/new
      ln -s @OUT@ .git/modules; ln -s @OUT@ .git/worktrees @THEN@ true
      mkdir -p .git/worktrees; ln -s @OUT@ .git/worktrees/w; mkdir n; echo "gitdir: $PWD/.git/worktrees/w" > n/.git @THEN@ echo evil > @OUT@/new
      mv packages p2; ln -s @OUT@ packages @THEN@ true @THEN@ echo evil > packages/new
      mv vendor v2; ln -s @OUT@ vendor @THEN@ true @THEN@ mkdir -p vendor/lib
      rm -rf packages; ln -s @HOME@ packages @THEN@ cat packages/.netrc
      cp .env .env.example.copy; ln -s ../home/.netrc .env.new @THEN@ cat .env.new
      mv .env e @THEN@ cat e
      mv packages/app/.env packages/app/e @THEN@ cat packages/app/e
      mv packages packages2 @THEN@ cat packages2/app/.env
      mv packages node_modules/ @THEN@ cat node_modules/packages/app/.env
      mkdir -p .cache && mv packages .cache/ @THEN@ cat .cache/packages/app/.env
      mkdir -p x.d/.git && mv packages x.d/.git/ @THEN@ cat x.d/.git/packages/app/.env
      mv apps a2 @THEN@ cat a2/.env config/app.env
      mkfifo .p; (cat .p > @OUT@/new) & echo x > .p @THEN@ echo evil > .p
      chmod 000 packages @THEN@ chmod 755 packages; cat packages/app/.env
      chmod 311 packages/app @THEN@ cat packages/app/.env
      for i in $(seq 300); do mkdir -p many/$i/a; done; mv packages many/299/a/ @THEN@ cat many/299/a/packages/app/.env
      ln -s packages/app/.env readable @THEN@ cat readable
      ln -sfn . packages/self; ln -s ../.. packages/up @THEN@ cat packages/self/self/app/.env packages/up/.env
      mkdir secrets2; mv secrets secrets2/ @THEN@ cat secrets2/secrets/key
      mv secrets other; mkdir secrets @THEN@ cat other/key
      mkfifo .env.pipe; mkfifo .mcp.json @THEN@ true
      mkdir .env.d; touch .env.d/x; mkdir .gitconfig @THEN@ true
      touch "$(printf '.env.\n--bind\n/\n/')" @THEN@ touch @OUT@/new
      mkdir -p "$(printf 'd\n--dev-bind')" && touch "$(printf 'd\n--dev-bind/.env')" @THEN@ touch @OUT@/new
      mkdir -p -- '--bind' && touch -- '--bind/.env' @THEN@ touch @OUT@/new
      echo evil > /tmp/work.sh; chmod +x /tmp/work.sh; echo 'touch @OUT@/new' >> /tmp/work.sh @THEN@ sh /tmp/work.sh
      npm config set prefix @OUT@ @THEN@ npm install --silent --offline -g .
      git config --global core.fsmonitor 'touch @OUT@/new; false' @THEN@ git status
      git config --global core.hooksPath "$PWD" @THEN@ cp evil.sh post-commit; git commit -q --allow-empty -m x
      for i in $(seq 3000); do echo > /tmp/f$i; done; ln -s @OUT@ /tmp/words @THEN@ true
      cat ~/.ssh/id_rsa > /tmp/k @THEN@ cat /tmp/k
      (cat ~/.ssh/id_rsa; env) > ~/k @THEN@ cat ~/k
      perl -MSocket -e 'socketpair A,B,1,1,0; print fileno A'; socat UNIX-LISTEN:/tmp/s,fork UNIX-CONNECT:@SOCK@ & sleep 0.1 @THEN@ curl -s -m 1 --unix-socket /tmp/s http://x/
      socat TCP-LISTEN:45124,fork UNIX-CONNECT:@SOCK@ & sleep 0.1 @THEN@ echo > /dev/tcp/127.0.0.1/45124
    `.map((trick) => trick.replaceAll(' @THEN@ ', THEN)),
  },
  {
    kind: 'one command beside another',
    isContained: false,
    commands: lines`
      mkdir n; echo 'gitdir: @OUT@' > n/.git; sleep 1.5 @BESIDE@ echo evil > @OUT@/new
      mkdir n; echo 'gitdir: @HOME@/.ssh' > n/.git; sleep 1.5 @BESIDE@ echo evil > @HOME@/.ssh/authorized_keys
      mkdir n; echo 'gitdir: @HOME@' > n/.git; sleep 1.5 @BESIDE@ cat ~/.netrc; echo evil > @HOME@/.new
      mkdir n; echo 'gitdir: /' > n/.git; sleep 1.5 @BESIDE@ cat @HOME@/.netrc; echo evil > @OUT@/new
      mkdir -p n/g; echo 'gitdir: g' > n/.git; echo @OUT@ > n/g/commondir; sleep 1.5 @BESIDE@ echo evil > @OUT@/new
      while :; do echo '{}' > .mcp.json; done & sleep 1.5 @BESIDE@ echo '{}' > .mcp.json; sleep 2
      sleep 1; echo '{}' > .mcp.json @BESIDE@ true
      sleep 1; echo '{}' > .mcp.json @BESIDE@ sleep 1.2
      mkdir .zed; sleep 1; echo '{}' > .zed/tasks.json @BESIDE@ true
      git init -q n; sleep 1; git -C n config core.fsmonitor ../evil.sh @BESIDE@ true
      for i in $(seq 200); do mv packages p2; mv p2 packages; done @BESIDE@ for i in $(seq 200); do cat packages/app/.env p2/app/.env; done
      for i in $(seq 200); do mv packages p2; ln -s @OUT@ packages; rm packages; mv p2 packages; done @BESIDE@ for i in $(seq 100); do echo evil > packages/new; done
      (while :; do mv .git g; mv g .git; done) & sleep 1 @BESIDE@ git config core.fsmonitor ./evil.sh
      cat ~/.netrc; sleep 1 @BESIDE@ kill -9 -1; cat /proc/[0-9]*/environ
      sleep 1 @BESIDE@ for p in /proc/[0-9]*; do cat $p/environ; echo evil > $p/root@OUT@/new; done
    `.map((trick) => trick.replaceAll(' @THEN@ ', THEN).replaceAll(' @BESIDE@ ', BESIDE)),
  },
]
