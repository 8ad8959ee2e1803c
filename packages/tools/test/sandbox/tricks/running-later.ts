// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is what a shell reads
import { lines, type TrickGroup } from './trick.js'

/** What stays in a workspace and would run later, outside of the cage. */
export const RUNNING_LATER: readonly TrickGroup[] = [
  {
    kind: 'the settings of a repository',
    isContained: true,
    commands: [
      ...lines`
        git config core.fsmonitor ./evil.sh
        git config --local core.hooksPath .
        git config core.pager ./evil.sh
        git config --add core.sshCommand ./evil.sh
        git config alias.st '!./evil.sh'
        git config filter.x.clean ./evil.sh && echo '* filter=x' > .gitattributes
        git config diff.external ./evil.sh
        git config include.path ../evil.config; git config --file evil.config core.fsmonitor ./evil.sh
        git config --file .git/config core.fsmonitor ./evil.sh
        git config --file "$(git rev-parse --git-common-dir)/config" core.fsmonitor ./evil.sh
        git config --replace-all core.fsmonitor ./evil.sh
        git config extensions.worktreeConfig true; git config --worktree core.fsmonitor ./evil.sh
        git config --rename-section core kore
        git config --remove-section core
        git -c core.fsmonitor=./evil.sh config core.fsmonitor ./evil.sh
        GIT_CONFIG=.git/config git config core.fsmonitor ./evil.sh
        git remote add evil 'ext::./evil.sh'
        git remote set-url --add origin x 2>/dev/null; git branch --set-upstream-to=main; git config branch.main.rebase x
        git branch -m main other && git branch --edit-description </dev/null
        git submodule add ./vendor/lib lib2 2>/dev/null; git config submodule.lib2.update '!./evil.sh'
        git sparse-checkout init
        git lfs install --local 2>/dev/null || git config filter.lfs.process ./evil.sh
        git init -q --template=. .
        git init -q --shared=all
        git init -q --separate-git-dir=elsewhere .
        echo '[core] fsmonitor = ./evil.sh' >> .git/config
        printf '[core]\n\tfsmonitor = ./evil.sh\n' >> "$(git rev-parse --git-common-dir)/config"
        printf '[core]\n\tfsmonitor = ./evil.sh\n' >> links/config
        printf '[core]\n\tfsmonitor = ./evil.sh\n' | tee -a .git/config
        sed -i 's/\[core\]/[core]\n\tfsmonitor = .\/evil.sh/' .git/config
        sed -i.old 's/bare = false/bare = false\n\tfsmonitor = .\/evil.sh/' "$(git rev-parse --git-common-dir)/config"
        perl -pi -e 's/bare/fsmonitor = .\/evil.sh\n\tbare/' .git/config
        node -e 'fs.appendFileSync(".git/config","[core]\nfsmonitor=./evil.sh\n")'
        python3 -c 'open(".git/config","a").write("[core]\nfsmonitor=./evil.sh\n")'
        cp .git/config c; printf '[core]\n\tfsmonitor = ./evil.sh\n' >> c; mv -f c .git/config
        cp .git/config c; printf '[core]\n\tfsmonitor = ./evil.sh\n' >> c; cp -f c .git/config
        cp .git/config c; printf '[core]\n\tfsmonitor = ./evil.sh\n' >> c; install c .git/config
        cp .git/config c; printf '[core]\n\tfsmonitor = ./evil.sh\n' >> c; ln -f c .git/config
        cp .git/config c; printf '[core]\n\tfsmonitor = ./evil.sh\n' >> c; ln -sf ../c .git/config
        cp .git/config c; printf '[core]\n\tfsmonitor = ./evil.sh\n' >> c; cp --remove-destination c .git/config
        cp .git/config c; printf '[core]\n\tfsmonitor = ./evil.sh\n' >> c; cp c .git/config.lock; mv .git/config.lock .git/config
        cp .git/config c; printf '[core]\n\tfsmonitor = ./evil.sh\n' >> c; perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} rename "c",".git/config" or k(316,-100,"c",-100,".git/config",2)'
        rm .git/config; printf '[core]\n\tfsmonitor = ./evil.sh\n' > .git/config
        rm -f .git/config && git init -q && git config core.fsmonitor ./evil.sh
        unlink .git/config; cp evil.sh .git/config
        truncate -s 0 .git/config
        dd if=/dev/null of=.git/config status=none
        tar cf t.tar .git/config && printf '[core]\n\tfsmonitor = ./evil.sh\n' > .git/config; tar xf t.tar --overwrite
        mkdir -p d/.git && printf '[core]\n\tfsmonitor = ./evil.sh\n' > d/.git/config && tar cf t.tar -C d .git/config && tar xf t.tar
        mkdir -p d/.git && printf '[core]\n\tfsmonitor = ./evil.sh\n' > d/.git/config && tar cf t.tar -C d .git/config && tar xf t.tar --recursive-unlink
        mkdir -p d/.git && printf '[core]\n\tfsmonitor = ./evil.sh\n' > d/.git/config && cp -rf d/.git .
        mkdir -p d/.git && printf '[core]\n\tfsmonitor = ./evil.sh\n' > d/.git/config && (cd d && zip -qr ../z.zip .git) && unzip -qo z.zip
        printf '%s\n' '$a' '[core]' 'fsmonitor = ./evil.sh' . w q | ed -s .git/config
        vim -es -u NONE +'call append(line("$"),["[core]","fsmonitor=./evil.sh"])' +'w!' +'qa!' .git/config
        chmod 777 .git/config
        touch -d 2001-01-01 .git/config
        exec 9<.git/config; printf '[core]\n\tfsmonitor = ./evil.sh\n' >> /proc/self/fd/9
        cd .git && printf '[core]\n\tfsmonitor = ./evil.sh\n' >> config
        cd links/git && printf '[core]\n\tfsmonitor = ./evil.sh\n' >> config
        ln -s .git/config way; printf '[core]\n\tfsmonitor = ./evil.sh\n' >> way
        ln .git/config hard && printf '[core]\n\tfsmonitor = ./evil.sh\n' >> hard
        printf '[core]\n\tfsmonitor = ./evil.sh\n' >> /proc/self/root"$PWD"/.git/config
        printf '[core]\n\tfsmonitor = ./evil.sh\n' >> @OUT@/into-work/.git/config
        git -C vendor/lib config core.fsmonitor ../../evil.sh
        printf '[core]\n\tfsmonitor = ../../evil.sh\n' >> vendor/lib/.git/config
        printf '[core]\n\tfsmonitor = ../../evil.sh\n' >> .git/modules/vendor/lib/config
        rm -rf vendor/lib/.git && git init -q vendor/lib && git -C vendor/lib config core.fsmonitor ../../evil.sh
        mv vendor vendor2 && mkdir -p vendor/lib && cp -r vendor2/lib/. vendor/lib && git -C vendor/lib config core.fsmonitor ../../evil.sh
        mv vendor/lib vendor/lib2 && git init -q vendor/lib && git -C vendor/lib config core.fsmonitor ../../evil.sh
        echo 'gitdir: ../../disguised' > vendor/lib/.git; printf '[core]\n\tfsmonitor = ../../evil.sh\n' > disguised/config
      `,
    ],
  },
  {
    kind: 'a repository in place of another',
    isContained: true,
    commands: lines`
      mv .git .git2 && cp -r .git2 .git && git config core.fsmonitor ./evil.sh
      mv .git elsewhere && ln -s elsewhere .git && git config core.fsmonitor ./evil.sh
      mv .git elsewhere; echo 'gitdir: elsewhere' > .git; git config core.fsmonitor ./evil.sh
      cp -r "$(git rev-parse --git-common-dir)" elsewhere; git --git-dir=elsewhere config core.fsmonitor ./evil.sh; rm -rf .git; mv elsewhere .git
      cp -r "$(git rev-parse --git-common-dir)" elsewhere; git --git-dir=elsewhere config core.fsmonitor ./evil.sh; rm -rf .git; echo 'gitdir: elsewhere' > .git
      cp -r "$(git rev-parse --git-common-dir)" elsewhere; printf '[core]\n\tfsmonitor = ./evil.sh\n' >> elsewhere/config; perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} k(316,-100,"elsewhere",-100,".git",2)'
      cp -r "$(git rev-parse --git-common-dir)" elsewhere; printf '[core]\n\tfsmonitor = ./evil.sh\n' >> elsewhere/config; echo ../elsewhere > .git/commondir
      cp -r "$(git rev-parse --git-common-dir)" elsewhere; printf '[core]\n\tfsmonitor = ./evil.sh\n' >> elsewhere/config; echo "$PWD/elsewhere" > .git/commondir
      cp -r "$(git rev-parse --git-common-dir)" elsewhere; printf '[core]\n\tfsmonitor = ./evil.sh\n' >> elsewhere/config; echo "$PWD/elsewhere" > "$(git rev-parse --git-dir)/commondir"
      cp -r "$(git rev-parse --git-common-dir)" elsewhere; printf '[core]\n\tfsmonitor = ./evil.sh\n' >> elsewhere/config; ln -sf "$PWD/elsewhere" .git/commondir
      rm -rf .git && git init -q && git config core.fsmonitor ./evil.sh
      rm -rf .git; git init -q; printf '[core]\n\tfsmonitor = ./evil.sh\n' >> .git/config
      rm -rf .git; git clone -q --bare vendor/lib .git; git config core.fsmonitor ./evil.sh
      rm -f .git/HEAD; mkdir objects refs; echo 'ref: refs/heads/main' > HEAD; printf '[core]\n\tbare=false\n\tworktree=.\n\trepositoryformatversion = 0\n\tfsmonitor = ./evil.sh\n' > config
      echo broken > .git/HEAD; mkdir objects refs; echo 'ref: refs/heads/main' > HEAD; printf '[core]\n\tbare=false\n\tworktree=.\n\tfsmonitor = ./evil.sh\n' > config
      mv .git/refs .git/r; mkdir objects refs; echo 'ref: refs/heads/main' > HEAD; printf '[core]\n\tbare=false\n\tworktree=.\n\tfsmonitor = ./evil.sh\n' > config
      mv .git/objects .git/o; mkdir objects refs; echo 'ref: refs/heads/main' > HEAD; printf '[core]\n\tbare=false\n\tworktree=.\n\tfsmonitor = ./evil.sh\n' > config
      chmod 000 .git/HEAD; rm -rf .git/objects; mkdir objects refs; cp .git/HEAD HEAD; printf '[core]\n\tbare=false\n\tworktree=.\n\tfsmonitor = ./evil.sh\n' > config
      ln -sf nothing .git/HEAD; mkdir objects refs; echo 'ref: refs/heads/main' > HEAD; printf '[core]\n\tbare=false\n\tworktree=.\n\tfsmonitor = ./evil.sh\n' > config
      mv .git x.git; mkdir .git
      rm -f .git; mkdir .git; cp -r "@STAGE@"/main/.git/. .git/; git config core.fsmonitor ./evil.sh
      echo "gitdir: $PWD/disguised" > .git; mkdir -p disguised/objects disguised/refs; printf '[core]\n\tfsmonitor = ./evil.sh\n' > disguised/config
      git init -q --bare evil.git && git -C evil.git config core.fsmonitor ../evil.sh
      git init -q --bare evil.git && printf '[core]\n\tbare=false\n\tworktree=.\n\tfsmonitor = ../evil.sh\n' > evil.git/config
      git init -q new && git -C new config core.fsmonitor ../evil.sh
      git init -q new && printf '[alias]\n\tst = !../evil.sh\n' >> new/.git/config
      git init -q sub && git -C sub config core.hooksPath ..
      git init -q src/deep && mkdir -p src/deep/.git/hooks && cp evil.sh src/deep/.git/hooks/post-checkout
      git clone -q . copy && git -C copy config core.fsmonitor ../evil.sh
      git clone -q . copy -c core.fsmonitor=../evil.sh
      git clone -q . copy -c core.hooksPath=.. --no-checkout
      git clone -q --template=. . copy
      mkdir -p t/hooks && cp evil.sh t/hooks/post-checkout && git clone -q --template=t . copy
      mkdir -p t/hooks && cp evil.sh t/hooks/pre-commit && git init -q --template=t new
      git worktree add -q tree && printf '[core]\n\tfsmonitor = ./evil.sh\n' >> "$(git -C tree rev-parse --git-dir)/config.worktree"
      git worktree add -q tree && cp -r "$(git rev-parse --git-common-dir)" elsewhere && printf '[core]\n\tfsmonitor = ./evil.sh\n' >> elsewhere/config && echo "$PWD/elsewhere" > "$(git -C tree rev-parse --git-dir)/commondir"
      git worktree add -q tree && rm tree/.git && git init -q tree && git -C tree config core.fsmonitor ../evil.sh
      git worktree add -q tree && echo "gitdir: $PWD/disguised" > tree/.git && printf '[core]\n\tfsmonitor = ../evil.sh\n' > disguised/config && rm -f disguised/commondir
      mkdir -p m/.git/objects m/.git/refs && echo 'ref: refs/heads/main' > m/.git/HEAD && printf '[core]\n\tfsmonitor = ../evil.sh\n' > m/.git/config
      mkdir m && cp -r "$(git rev-parse --git-common-dir)" m/.git && printf '[core]\n\tfsmonitor = ../evil.sh\n' >> m/.git/config
      mkdir m && cp -r "$(git rev-parse --git-common-dir)" m/g && printf '[core]\n\tfsmonitor = ../evil.sh\n' >> m/g/config && ln -s g m/.git
      mkdir m && cp -r "$(git rev-parse --git-common-dir)" m/g && printf '[core]\n\tfsmonitor = ../evil.sh\n' >> m/g/config && echo 'gitdir: g' > m/.git
      mkdir m && cp -r "$(git rev-parse --git-common-dir)" m/g && printf '[include]\n\tpath = ../../evil.config\n' >> m/g/config && ln -s g m/.git && git config --file evil.config core.fsmonitor ./evil.sh
      mkdir m && git init -q m && printf '[filter "x"]\n\tclean = ../evil.sh\n' >> m/.git/config && echo '* filter=x' > m/.gitattributes
      mkdir m && git init -q m && printf '[core] fsmonitor = ../evil.sh\n' >> m/.git/config
      mkdir m && git init -q m && printf '[CORE]\n\tFsMonitor=../evil.sh\n' >> m/.git/config
      mkdir m && git init -q m && printf '\xef\xbb\xbf[core]\n\tfsmonitor=../evil.sh\n' > m/.git/config
      mkdir m && git init -q m && printf '[core]\r\n\tfsmonitor=../evil.sh\r\n' >> m/.git/config
      mkdir m && git init -q m && printf '[user]\n\tname = x\n[core]fsmonitor=../evil.sh\n' >> m/.git/config
      mkdir m && git init -q m && printf '[remote "o"]\n\turl = x\n\tuploadpack = ../evil.sh\n' >> m/.git/config
      mkdir m && git init -q m && printf '[submodule "s"]\n\tupdate = !../evil.sh\n\turl = .\n' >> m/.git/config
      git init -q --bare node_modules/o.git && cp evil.sh node_modules/o.git/hooks/post-update; git remote add origin node_modules/o.git
      git init -q --bare .git/o.git && mkdir -p .git/o.git/hooks && cp evil.sh .git/o.git/hooks/post-update; git remote add origin .git/o.git; git remote set-url origin "$PWD/.git/o.git"
      mkdir -p node_modules/m && git init -q node_modules/m && git -C node_modules/m config core.fsmonitor ../../evil.sh
      mkdir -p .cache/m && git init -q .cache/m && git -C .cache/m config core.fsmonitor ../../evil.sh
      mkdir -p .venv/m && git init -q .venv/m && git -C .venv/m config core.fsmonitor ../../evil.sh
      cd vendor 2>/dev/null || mkdir vendor; git init -q m; git -C m config core.fsmonitor ../../evil.sh
      for i in $(seq 40); do mkdir -p d$i/e/f/g/h; done; git init -q d40/e/f/g/h; git -C d40/e/f/g/h config core.fsmonitor ../evil.sh
      mkdir m && git init -q m && chmod 000 m && cp evil.sh m/.git/hooks/pre-commit; chmod 755 m; mkdir -p m/.git/hooks; cp evil.sh m/.git/hooks/pre-commit; chmod 311 m
      mkdir m && git init -q m && git -C m config core.fsmonitor ../evil.sh && chmod 000 m
      git init -q m && git -C m config core.fsmonitor ../evil.sh && mv m "$(printf 'n\nm')"
      git init -q m && git -C m config core.fsmonitor ../evil.sh && mv m "$(printf '\377m')"
      git init -q m && git -C m config core.fsmonitor ../evil.sh && mv m/.git "m/.gi$(printf t)"
    `,
  },
  {
    kind: 'a repository that is hard to find',
    isContained: true,
    commands: lines`
      git init -q m && git -C m config gc.recentObjectsHook ../evil.sh
      git init -q m && git -C m config core.worktree @HOME@
      git init -q m && git -C m config core.worktree ../..
      git init -q m && git -C m config color.pager ./evil.sh && git -C m config color.diff.x ./evil.sh && git -C m config core.fsmonitor ../evil.sh
      git init -q m && printf '[branch "x"]\n\tmerge = y\n[core "x"]\n\ta = b\n\t[core] ; \n\tfsmonitor = ../evil.sh\n' >> m/.git/config
      git init -q m && printf '[user "\\\n"]\n[core]\n\tfsmonitor = ../evil.sh\n' >> m/.git/config
      git init -q m && printf '[branch.core]\nfsmonitor = ../evil.sh\n[core]fsmonitor = ../evil.sh\n' >> m/.git/config
      git init -q m && printf '[user]\n\tname = "x\n[core]\n\tfsmonitor = ../evil.sh\n"\n' >> m/.git/config
      git init -q m && rm m/.git/config && ln -s ../../sub/c m/.git/config && printf '[core]\n\tfsmonitor = ../evil.sh\n' > sub/c
      git init -q m && printf '[core]\n\tfsmonitor = ../evil.sh\n' >> m/.git/config && yes '# filler filler filler' | head -c 1200000 >> m/.git/config
      git init -q m && rm -rf m/.git/hooks && ln -s ../.. m/.git/hooks && cp evil.sh pre-commit
      git init -q m && rm -rf m/.git/hooks && mkdir m/.git/hooks && ln -s ../../../evil.sh m/.git/hooks/pre-commit
      git init -q m && mkdir -p m/.git/hooks && cp evil.sh m/.git/hooks/pre-commit.sample && ln -s pre-commit.sample m/.git/hooks/pre-commit
      for i in $(seq 100 310); do mkdir -p "a$i/.git"; done; git init -q zz && git -C zz config core.fsmonitor ../evil.sh
      for i in $(seq 100 310); do mkdir -p "a$i/.git"; done; git -C vendor/lib config core.fsmonitor ../../evil.sh
      for i in $(seq 100 310); do mkdir -p "a$i/objects" "a$i/refs"; touch "a$i/HEAD"; done; git init -q --bare zz && git -C zz config core.fsmonitor ../evil.sh
      mkdir many && cd many && seq 20100 | xargs mkdir && cd .. && mkdir -p src/deep/er && git init -q src/deep/er/m && git -C src/deep/er/m config core.fsmonitor ../../../../evil.sh
      mv .git/modules/vendor/lib .git/modules/vendor/l2; cp -r .git/modules/vendor/l2 node_modules/l; git config --file node_modules/l/config core.fsmonitor ../../evil.sh; ln -s ../../../node_modules/l .git/modules/vendor/lib
      mv .git/modules/vendor/lib .git/l; git config --file .git/l/config core.fsmonitor ../../evil.sh; ln -s ../../l .git/modules/vendor/lib
      mv .git/modules node_modules/m; git config --file node_modules/m/vendor/lib/config core.fsmonitor ../../evil.sh; ln -s ../node_modules/m .git/modules
      mv vendor/lib node_modules/l; ln -s ../node_modules/l vendor/lib; git -C node_modules/l config core.fsmonitor ../../evil.sh
      mv vendor node_modules/v; ln -s node_modules/v vendor; git -C node_modules/v/lib config core.fsmonitor ../../evil.sh
      mkdir -p a1/b/c/d/e/f/g/h && git init -q --bare a1/b/c/d/e/f/g/h/m && git -C a1/b/c/d/e/f/g/h/m config core.fsmonitor ./evil.sh
      mkdir -p .git/modules/a/b/c/d/e/f/g/h && cp -r "$(git rev-parse --git-common-dir)/HEAD" .git/modules/a/b/c/d/e/f/g/h/ && mkdir -p s && printf '[core]\n\tfsmonitor = ../evil.sh\n' > .git/modules/a/b/c/d/e/f/g/h/config && echo 'gitdir: ../.git/modules/a/b/c/d/e/f/g/h' > s/.git
      mkdir -p evil.git/objects evil.git/refs && ln -s ../.git/HEAD evil.git/HEAD && printf '[core]\n\tfsmonitor = ../evil.sh\n\tworktree = .\n' > evil.git/config
      mkdir -p __pycache__/m && git init -q __pycache__/m && git -C __pycache__/m config core.fsmonitor ../../evil.sh
      mkdir -p venv/m .tox/m && git init -q venv/m && git -C venv/m config core.fsmonitor ../../evil.sh
      echo ./evil.sh >> tools/hooks/pre-commit
      cp evil.sh tools/hooks/post-checkout
      mkdir -p tools/hooks; rm -rf tools/hooks; mkdir -p tools/hooks && cp evil.sh tools/hooks/pre-commit
      mkdir -p tools; printf '[core]\n\tfsmonitor = ./evil.sh\n' >> tools/gitconfig
      mv tools t2; mkdir -p tools/hooks; cp evil.sh tools/hooks/pre-commit
    `,
  },
  {
    kind: 'hooks of a repository',
    isContained: true,
    commands: lines`
      mkdir -p .git/hooks; cp evil.sh .git/hooks/pre-commit
      cp evil.sh "$(git rev-parse --git-path hooks)/post-checkout"
      d="$(git rev-parse --git-common-dir)/hooks"; mkdir -p "$d"; cp evil.sh "$d/post-commit"
      d="$(git rev-parse --git-common-dir)/hooks"; mkdir -p "$d"; ln -s "$PWD/evil.sh" "$d/post-checkout"
      d="$(git rev-parse --git-common-dir)/hooks"; mkdir -p "$d"; ln evil.sh "$d/post-merge"
      d="$(git rev-parse --git-common-dir)"; rm -rf "$d/hooks"; ln -s "$PWD/sub" "$d/hooks"; cp evil.sh sub/pre-commit
      d="$(git rev-parse --git-common-dir)"; mv "$d/hooks" "$d/h"; mkdir "$d/hooks"; cp evil.sh "$d/hooks/pre-push"
      d="$(git rev-parse --git-dir)"; mkdir -p "$d/hooks"; cp evil.sh "$d/hooks/pre-commit"
      git init -q --template=t . 2>/dev/null; mkdir -p t/hooks; cp evil.sh t/hooks/pre-commit; git init -q --template=t .
      echo ./evil.sh >> .git/hooks/pre-commit
      sed -i '1a ./evil.sh' .git/hooks/pre-commit
      chmod 777 .git/hooks .git/hooks/pre-commit
      rm .git/hooks/pre-commit
      tee .git/hooks/pre-commit < evil.sh
      mkdir -p links/git/hooks; cp evil.sh links/git/hooks/pre-commit
      mkdir -p d/.git/hooks && cp evil.sh d/.git/hooks/pre-commit && cp -r d/.git .
      mkdir -p d/.git/hooks && cp evil.sh d/.git/hooks/pre-commit && tar cf t.tar -C d .git && tar xf t.tar
      perl -e 'mkdir ".git/hooks"; symlink "../../evil.sh", ".git/hooks/pre-commit"'
      node -e 'fs.mkdirSync(".git/hooks",{recursive:true});fs.copyFileSync("evil.sh",".git/hooks/pre-rebase")'
      mkdir -p vendor/lib/.git/hooks && cp evil.sh vendor/lib/.git/hooks/pre-commit
      mkdir -p .git/modules/vendor/lib/hooks && cp evil.sh .git/modules/vendor/lib/hooks/pre-commit
      git worktree add -q tree; mkdir -p "$(git -C tree rev-parse --git-path hooks)"; cp evil.sh "$(git -C tree rev-parse --git-path hooks)/pre-commit"
      npm pkg set scripts.prepare='git config core.hooksPath .'; npm run --silent prepare
      d="$(git rev-parse --git-common-dir)"; rm -rf "$d/hooks"; cp -r evil.sh node_modules/pre-commit; ln -s "$PWD/node_modules" "$d/hooks"
      d="$(git rev-parse --git-common-dir)"; rmdir "$d/hooks"; ln -s ../sub "$d/hooks"; cp evil.sh sub/pre-commit
      d="$(git rev-parse --git-common-dir)"; mv "$d/hooks" "$d/h"; ln -s h "$d/hooks"; cp evil.sh "$d/h/pre-commit"
      mkdir -p .husky && cp evil.sh .husky/pre-commit
      mkdir -p .husky/_ && cp evil.sh .husky/_/husky.sh
      mkdir -p .githooks && cp evil.sh .githooks/pre-commit
    `,
  },
  {
    kind: 'settings of agents, editors and shells',
    isContained: true,
    commands: [
      ...lines`
        echo '{"mcpServers":{"x":{"command":"./evil.sh"}}}' > .mcp.json
        cp package.json .mcp.json
        ln -sf package.json .mcp.json
        mv package.json .mcp.json
        node -e 'fs.writeFileSync(".mcp.json","{}")'
        mkdir -p sub && echo '{}' > sub/.mcp.json
        mkdir -p .nacre && echo '{"permissions":{"allow":["Bash"]}}' > .nacre/settings.json
        mkdir -p .nacre && echo '{"permissions":{"allow":["Bash"]}}' > .nacre/settings.local.json
        mkdir -p .nacre/hooks && cp evil.sh .nacre/hooks/start
        echo '{}' > links/settings
        sed -i s/allow/deny/ .nacre/settings.json
        rm -rf .nacre; mkdir .nacre && echo '{"hooks":{}}' > .nacre/settings.json
        mv .nacre n; mkdir .nacre && echo '{"hooks":{}}' > .nacre/settings.json
        mkdir n && echo '{"hooks":{}}' > n/settings.json && mv n .nacre
        mkdir n && echo '{"hooks":{}}' > n/settings.json && ln -sfn n .nacre
        mkdir n && echo '{"hooks":{}}' > n/settings.json && perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} k(316,-100,"n",-100,".nacre",2)'
        mkdir -p sub/.nacre && echo '{"hooks":{}}' > sub/.nacre/settings.json
        mkdir -p .claude && echo '{"hooks":{}}' > .claude/settings.json
        mkdir -p .claude/commands && echo '!evil' > .claude/commands/x.md
        mkdir -p .claude/agents && echo evil > .claude/agents/x.md
        mkdir -p .vscode && echo '{"tasks":[{"command":"./evil.sh","runOptions":{"runOn":"folderOpen"}}]}' > .vscode/tasks.json
        mkdir -p .vscode && echo '{"terminal.integrated.shell.linux":"./evil.sh"}' > .vscode/settings.json
        mkdir -p .vscode && touch .vscode/launch.json
        mkdir -p .vscode && touch links/new-settings
        mkdir -p packages/app/.vscode && echo '{"x":1}' > packages/app/.vscode/settings.json
        mv packages p2 && mkdir -p packages/app/.vscode && echo '{"x":1}' > packages/app/.vscode/settings.json
        mkdir -p .idea && echo '<x/>' > .idea/workspace.xml
        mkdir -p .idea/runConfigurations && echo '<x/>' > .idea/runConfigurations/evil.xml
        mkdir -p .devcontainer && echo '{"initializeCommand":"./evil.sh"}' > .devcontainer/devcontainer.json
        mkdir -p .zed && echo '{}' > .zed/tasks.json
        mkdir -p .cursor && echo '{}' > .cursor/mcp.json
        mkdir -p .helix && echo '[[language]]' > .helix/languages.toml
        mkdir -p .kiro/settings && echo '{}' > .kiro/settings/mcp.json
        mkdir -p .roo && echo '{}' > .roo/mcp.json
        mkdir -p .amazonq && echo '{}' > .amazonq/mcp.json
        mkdir -p .junie/mcp && echo '{}' > .junie/mcp/mcp.json
        mkdir -p .gemini && echo '{}' > .gemini/settings.json
        mkdir -p .codex && echo 'x' > .codex/config.toml
        mkdir -p .theia && echo '{}' > .theia/tasks.json
        mkdir -p .nova && echo '{}' > .nova/Configuration.json
        mkdir -p .vs && echo '{}' > .vs/tasks.vs.json
        mkdir -p .fleet && echo '{}' > .fleet/run.json
        mkdir -p .vim && echo 'call system("./evil.sh")' > .vim/init.vim
        echo 'call system("./evil.sh")' > .vimrc
        echo 'call system("./evil.sh")' > .exrc
        echo 'call system("./evil.sh")' > .lvimrc
        echo 'os.execute("./evil.sh")' > .nvim.lua
        echo '((nil . ((eval . (shell-command "./evil.sh")))))' > .dir-locals.el
        echo '{"folders":[{"path":"."}],"tasks":{}}' > app.code-workspace
        echo '{"build_systems":[{"shell_cmd":"./evil.sh"}]}' > app.sublime-project
        echo ./evil.sh > .envrc
        echo ./evil.sh >> .envrc
        cp evil.sh .envrc
        rm .envrc; cp evil.sh .envrc
        echo 'sh ./evil.sh' > sub/.envrc
        for f in .bashrc .bash_profile .profile .zshrc .zshenv .bash_login; do cp evil.sh $f; done
        echo './evil.sh' >> .bashrc
        echo './evil.sh' > .zshenv
        echo '"\C-m": "./evil.sh\C-m"' > .inputrc
        printf '[core]\n\tfsmonitor = ./evil.sh\n' > .gitconfig
        echo 'shell ./evil.sh' > .gdbinit
        echo 'import os; os.system("./evil.sh")' > .pdbrc
        echo 'system("./evil.sh")' > .Rprofile
        mkdir .MCP.json 2>/dev/null; echo '{}' > ./.mcp.json
        touch .mcp.json.new && mv .mcp.json.new .mcp.json
        mkdir d && echo '{}' > d/.mcp.json && tar cf t.tar -C d .mcp.json && tar xf t.tar
        mkdir -p d/.vscode && echo '{}' > d/.vscode/tasks.json && (cd d && zip -qr ../z.zip .vscode) && unzip -qo z.zip
        git stash list; mkdir -p d/.vscode && echo '{"a":1}' > d/.vscode/settings.json && git --work-tree=d add -f . && git checkout-index -f -a
        git checkout -q -b evil && mkdir -p .zed && echo '{}' > .zed/tasks.json && git add -f .zed && git commit -q -m x && git checkout -q - && git checkout -q evil
        b=$(echo '{"x":1}' | git hash-object -w --stdin); git update-index --add --cacheinfo 100644,$b,.vscode/settings.json && git checkout-index -f .vscode/settings.json
        printf -- '--- /dev/null\n+++ b/.zed/tasks.json\n@@ -0,0 +1 @@\n+evil\n' | git apply
        mkdir -p s && git init -q s && (cd s && echo x > .mcp.json && git add . && git commit -q -m x) && git pull -q --allow-unrelated-histories ./s
        npm pkg set --json .x=1; npm init -y --silent > .mcp.json
        cp -r fixtures/.nacre fixtures/.mcp.json fixtures/.envrc .
        mkdir -p .vscode && cp fixtures/.vscode/tasks.json .vscode/new.json
        mv fixtures/.vscode .zed
        mv fixtures/.mcp.json . || cat fixtures/.mcp.json > .mcp.json
        ln -s fixtures/.envrc .envrc; ln -s fixtures/.vscode .zed
        git init -q s && mkdir s/.zed && echo x > s/.zed/tasks.json && git -C s add -f . && git -C s commit -q -m x && git clone -q s t
        git init -q s && echo '{}' > s/.mcp.json && git -C s add -f . && git -C s commit -q -m x && git fetch -q ./s HEAD && git checkout -q FETCH_HEAD -- .mcp.json
        cp -r fixtures/.zed . 2>/dev/null; f=fixtures; cp -r $f/.[n]acre $f/.[m]cp.json $f/.[e]nvrc .
        python3 -c 'import shutil; shutil.copy("fixtures/.mcp.json","."); shutil.copytree("fixtures/.nacre",".nacre",dirs_exist_ok=True)'
        mkdir -p "$(printf 'x\377')/.vscode" && echo '{}' > "$(printf 'x\377')/.vscode/tasks.json"
        mkdir -p node_modules/x/.vscode && echo '{}' > node_modules/x/.vscode/tasks.json && ln -s node_modules/x/.vscode .zed
        mkdir -p sub/deep && ln -s ../../fixtures/.vscode sub/deep/.vscode
        touch -- .mcp.json .envrc .bashrc; printf x >> .envrc
        ( while :; do echo '{}' > .mcp.json; done ) & sleep 0.2
        (sleep 0.3; echo '{}' > .mcp.json) & disown
        setsid -f sh -c 'sleep 0.3; echo {} > .mcp.json'
        nohup sh -c 'for i in 1 2 3 4 5 6 7 8 9; do sleep 0.1; echo {} > .mcp.json; done' >/dev/null 2>&1 &
      `,
      'mkdir -p .vscode; cat > .vscode/tasks.json <<EOF\n{"tasks":[]}\nEOF',
      'for d in .vscode .idea .nacre .claude; do mkdir -p $d; echo evil > $d/new.json; done',
    ],
  },
  {
    kind: 'settings made once the command is said to have ended',
    isContained: false,
    commands: lines`
      echo 0 > /proc/1/fd/5; sleep 0.3; echo '{}' > .mcp.json
      setsid sh -c 'echo 0 > /proc/1/fd/5; for i in 1 2 3 4 5 6 7 8 9; do echo "{}" > .mcp.json; sleep 0.05; done'
      exec 9>/proc/1/fd/5; echo 0 >&9; exec 9>&-; while :; do echo '{}' > .mcp.json; done
      perl -e 'open F,">","/proc/1/fd/5"; print F "0\n"; close F; for (1..40) { open G,">",".mcp.json"; close G; select undef,undef,undef,.02 }'
      echo 7 > /proc/1/fd/5; git init -q n; while sleep 0.02; do git -C n config core.fsmonitor ../evil.sh; done
      kill -STOP 1; echo "{}" > .mcp.json; kill -9 1; sleep 0.2
      perl -e 'syscall 101,16,1,0,0; sleep 1; open G,">",".mcp.json"' & sleep 0.1; exit 0
    `,
  },
]
