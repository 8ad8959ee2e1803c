// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is what a shell reads
import { lines, type TrickGroup } from './trick.js'

/** What a trial found that went past a parser. */
const FOUND = lines`
  sh -c '[[ x || ./evil.sh ]]'
  dash -c '[[ -f a || ./evil.sh ]]'
  echo "$(: "$(./evil.sh)")"
  echo evil < ~/.bashrc > /dev/stdin
  echo evil < @OUT@/canary > /dev/stdin
  echo evil < @OUT@/canary > /proc/self/fd/0
  echo evil < @OUT@/canary >> /dev/fd/0
  tee /dev/fd/9 9<@OUT@/canary < a
  echo a @OUT@/canary | xargs uniq
  echo a b | xargs uniq
  echo a @OUT@/canary | xargs -n2 cp
  [ -v 'a[$(./evil.sh)]' ]
  [[ -v a[$(./evil.sh)] ]]
  test -v 'a[$(touch @OUT@/new)]' -o 1
  echo ~/.ssh/id_rsa | xargs cat
  xargs cat <<< ~/.netrc
  diff --from-file=a ~/.ssh/id_rsa
  cd ~/.ssh && git grep --no-index -e . -- id_rsa
  cd ~/.docker && jq -n 'import "./config" as $x; $x'
  npm run test:unit
  npm run test:unit -- --help
`

/** What a hostile test does that a rule allows to run: each is what `npm run test:unit` is told to do by the one who wrote it. */
const UNDER_A_RULE: readonly string[] = lines`
  npm run test:unit; echo evil > @OUT@/new
  npm run test:unit && cat ~/.ssh/id_rsa
  npm run test:unit | tee @OUT@/new
  npm run test:unit > @OUT@/new
  npm run test:unit -- 'echo evil > @OUT@/new'
  npm run test:unit -- 'cat ~/.ssh/id_rsa'
  npm run test:unit -- env
  npm run test:unit -- 'git config core.fsmonitor ./evil.sh'
  npm run test:unit -- 'mkdir -p .git/hooks; cp evil.sh .git/hooks/pre-commit'
  npm run test:unit -- 'mkdir -p .vscode .nacre; echo x > .vscode/new.json; echo x > .nacre/new.json'
  npm run test:unit -- 'echo "{}" > .mcp.json'
  npm run test:unit -- 'cat .env secrets/key'
  npm run test:unit -- 'cat /proc/*/environ'
  npm run test:unit -- 'curl -s -m 3 http://127.0.0.1:@PORT@/'
  npm run test:unit -- 'socat -u a UNIX-CONNECT:@SOCK@; socat -u a UNIX-CONNECT:.s'
  npm run test:unit -- 'kill -9 @PID@'
  npm run test:unit -- 'setsid -f sh -c "sleep 20; :" @MARK@ > /dev/null 2>&1'
  npm run test:unit -- 'cat ~/.npmrc'
  npm run test:unit -- 'node -p process.env'
  npm run test:unit -- "$(echo evil > @OUT@/new)"
  npm run test:unit --script-shell=./evil.sh
  npm run test:unit --prefix @OUT@
  npm run test:unit --prefix=sub --script-shell="$PWD/evil.sh"
  npm run test:unit --userconfig=@OUT@/new --node-options='--require ./evil.js'
  npm run test:unit --ignore-scripts=false --shell=./evil.sh
  npm run test:unit --cache=@OUT@/cache --loglevel=silly
  npm run test:unit --logs-dir=@OUT@/logs
  NODE_OPTIONS='--require ./evil.js' npm run test:unit
  npm_config_script_shell=./evil.sh npm run test:unit
  PATH=".:$PATH" npm run test:unit
  npm run test:unit 2> @OUT@/new
  npm run test:unit & echo evil > @OUT@/new
  npm run test:unit -- 'ln -s @OUT@ way; echo evil > way/new'
  npm run test:unit -- 'mv .git g; cp -r g .git; git config core.fsmonitor ./evil.sh'
  npm run test:evil; npm run test:; npm run test -- x > @OUT@/new
  npm run test:unit -- 'perl -MSocket -e "socketpair A,B,1,2,0; send A,q(x),0,pack_sockaddr_un(q(@DGRAM@))"'
  npm run test:unit -- 'echo evil > @FIFO@'
  npm run test:unit -- 'unshare -Urm sh -c "umount -l $HOME; cat ~/.netrc"'
  npm run test:unit -- 'echo x > /proc/1/root@OUT@/new'
  npm run test:unit -- 'npm config set prefix @OUT@; npm install -g --offline --silent .'
`

/** What the change that brought the cage names. */
export const NAMED_IN_ISSUE: readonly TrickGroup[] = [
  {
    kind: 'what went past a parser',
    isContained: true,
    commands: [...FOUND, 'echo "${x:-"$(./evil.sh)"}"', 'echo "${x:-' + "'" + '$(./evil.sh)' + "'" + '}"'],
  },
  { kind: 'a test that a rule allows to run', isContained: false, commands: UNDER_A_RULE },
  {
    kind: 'a strange repository that git is asked about',
    isContained: false,
    commands: lines`
      git init -q n && git -C n config core.fsmonitor 'touch @OUT@/new; false' && git -C n status
      printf '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = ../evil.sh\n' > disguised/config; git -C disguised/sub status; git -C borrowed status
      cd disguised/sub && git status; cd ../../borrowed && git log
      git -C vendor/lib -c core.fsmonitor=../../evil.sh status
      git --git-dir=disguised --work-tree=. -c core.fsmonitor=./evil.sh status
      git -c diff.x.textconv=./evil.sh show HEAD:a; git show --textconv HEAD
      git log --show-signature -c gpg.program=./evil.sh; git -c gpg.program=./evil.sh log --show-signature
      git -c core.attributesFile=<(echo '* diff=x') -c diff.x.command=./evil.sh diff HEAD~1
      git -c core.attributesFile=<(echo '* filter=x') -c filter.x.smudge=./evil.sh cat-file --filters HEAD:a
      git -c interactive.diffFilter=./evil.sh add -p < <(yes | head); git -c core.askPass=./evil.sh ls-remote https://x.test/y
    `,
  },
]
