/** Options that leave a command read-only. `-o:` takes a fixed value, `-n=` takes any; `-#` is a number. */
type PlainOptions = string;

/** Knowledge about a program; anything unlisted is unknown. */
export interface KnownProgram {
  /** Subcommands that only read, with their plain options; `-` stands for a program without subcommands. */
  readonly reads?: { readonly [subcommands: string]: PlainOptions };
  readonly writes?: string;
  /** Subcommands that also delete, discard or overwrite something. */
  readonly destroys?: string;
  readonly writingOptions?: string;
  /** Options that make any subcommand delete, discard or overwrite something. */
  readonly destroyingOptions?: string;
  /** Matches the words behind a subcommand that deletes, discards or overwrites something. */
  readonly destroyingWords?: { readonly [subcommand: string]: RegExp };
  /** Options, written alone, with which nothing that exists is overwritten. */
  readonly sparingOptions?: string;
  readonly plainOptions?: PlainOptions;
  /** Other options that may precede the subcommand, in the same notation. */
  readonly otherOptions?: string;
}

const WRITER: KnownProgram = { writes: "-" };
const DESTROYER: KnownProgram = { destroys: "-" };

const each = (names: string, facts: KnownProgram): { readonly [name: string]: KnownProgram } =>
  Object.fromEntries(names.split(" ").map((name) => [name, facts]));
const readers = (names: string, options: PlainOptions): { readonly [name: string]: KnownProgram } =>
  each(names, { reads: { "-": options } });

// prettier-ignore
const GREP = "-a -b -c -E -F -G -h -H -i -l -L -n -o -P -q -r -R -s -U -v -w -x -z -A= -B= -C= -e= -m= --after-context= --basic-regexp --before-context= --binary --byte-offset --color= --context= --count --dereference-recursive --exclude-dir= --exclude= --extended-regexp --files-with-matches --files-without-match --fixed-strings --ignore-case --include= --invert-match --label= --line-number --line-regexp --max-count= --no-filename --no-messages --null --null-data --only-matching --perl-regexp --quiet --recursive --regexp= --silent --text --with-filename --word-regexp";
// prettier-ignore
const HASHES = "-b -c -t -w -z --binary --check --ignore-missing --quiet --status --strict --tag --text --warn --zero";
// prettier-ignore
const GIT_DIFF = "-a -b -C= -G= -M= -p -R -s -S= -u -U= -w -z --abbrev= --binary --cached --check --color= --diff-filter= --dst-prefix= --exit-code --find-copies= --find-renames= --full-index --histogram --ignore-all-space --ignore-blank-lines --ignore-space-at-eol --ignore-space-change --merge-base --minimal --name-only --name-status --no-color --no-ext-diff --no-patch --no-prefix --no-renames --no-textconv --numstat --patch --patch-with-stat --patience --pickaxe-all --pickaxe-regex --quiet --raw --relative= --shortstat --src-prefix= --staged --stat= --summary --text --unified= --word-diff=";
// prettier-ignore
const GIT_COMMITS = "-# -E -F -i -n= --after= --all --all-match --ancestry-path --author-date-order --author= --before= --boundary --branches= --children --committer= --date-order --extended-regexp --first-parent --fixed-strings --full-history --grep= --invert-grep --left-right --max-count= --merges --min-parents= --max-parents= --no-merges --parents --regexp-ignore-case --remotes= --reverse --since= --skip= --tags= --topo-order --until=";
// prettier-ignore
const GIT_LOG = `${GIT_DIFF} ${GIT_COMMITS} -c -L: -m --abbrev-commit --cc --cherry --cherry-mark --cherry-pick --date= --decorate= --encoding= --follow --format: --graph --name-only --no-abbrev-commit --no-decorate --no-notes --no-walk --notes --oneline --pretty: --relative-date --simplify-merges --topo-order`;
// prettier-ignore
const DOCKER = "-a -q -s -n= -t --all --details --digests --filter= --format: --human --last= --latest --no-color --no-log-prefix --no-trunc --orphans --quiet --services --since= --size --status= --tail= --timestamps --type= --until= --volumes";
// prettier-ignore
const KUBECTL = "-A -l= -L= -o: -c= -p -w --all-containers --all-namespaces --api-group= --chunk-size= --client --container= --containers --field-selector= --follow --ignore-not-found --label-columns= --limit-bytes= --minify --namespaced= --no-headers --output: --prefix --previous --recursive --revision= --selector= --short --show-events= --show-kind --show-labels --since-time= --since= --sort-by= --tail= --timeout= --timestamps --verbs= --watch";
// prettier-ignore
const GH = "-L= -s= -l= -a= -A= -S= -q: -B= -m= -c --app= --archived --assignee= --attempt= --author= --base= --branch= --color= --comments --commit= --conflict-status --created= --draft --event= --exclude-drafts --exclude-pre-releases --exit-status --files --fork --head= --jq: --job= --json= --label= --language= --limit= --log --log-failed --mention= --milestone= --name-only --no-archived --order= --owner= --patch --raw --required --search= --sort= --source --state= --status= --template: --topic= --user= --verbose --visibility= --workflow=";

/** Common programs with their effects; `-` means no subcommand. Doubtful forms are left out: they support no claim. */
// prettier-ignore
export const KNOWN_PROGRAMS: { readonly [name: string]: KnownProgram | undefined } = {
  ...readers("cat", "-A -b -e -E -n -s -t -T -u -v --number --number-nonblank --show-all --show-ends --show-nonprinting --show-tabs --squeeze-blank"),
  ...readers("head tail", "-# -c= -f -F -n= -q -v -z --bytes= --follow= --lines= --quiet --retry --silent --verbose --zero-terminated"),
  ...readers("wc", "-c -l -L -m -w --bytes --chars --lines --max-line-length --words"),
  ...readers("ls", "-1 -a -A -b -B -c -C -d -f -F -g -G -h -H -i -I= -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -T= -u -U -v -w= -x -X -Z --all --almost-all --author --block-size= --classify= --color= --directory --escape --file-type --format= --full-time --group-directories-first --hide= --human-readable --ignore-backups --ignore= --indicator-style= --inode --literal --no-group --numeric-uid-gid --quote-name --quoting-style= --recursive --reverse --si --size --sort= --time-style= --time= --width= --zero"),
  ...readers("stat", "-c= -f -L -t --dereference --file-system --format= --printf= --terse"),
  ...readers("du", "-0 -a -b -B= -c -d= -D -h -H -k -l -L -m -P -s -S -t= -x --all --apparent-size --block-size= --bytes --exclude= --human-readable --inodes --max-depth= --null --one-file-system --separate-dirs --si --summarize --threshold= --time= --total"),
  ...readers("df", "-a -B= -h -H -i -k -l -m -P -t= -T -x= --all --block-size= --exclude-type= --human-readable --inodes --local --no-sync --output= --portability --print-type --si --total --type="),
  ...readers("cut", "-b= -c= -d= -f= -n -s -z --bytes= --characters= --complement --delimiter= --fields= --only-delimited --output-delimiter= --zero-terminated"),
  ...readers("tr", "-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1"),
  ...readers("comm", "-1 -2 -3 -z --check-order --nocheck-order --output-delimiter= --total --zero-terminated"),
  ...readers("cmp", "-b -i= -l -n= -s --bytes= --ignore-initial= --print-bytes --quiet --silent --verbose"),
  ...readers("nl", "-b= -d= -f= -h= -i= -l= -n= -p -s= -v= -w="),
  ...readers("od", "-A= -a -b -c -d -f -i -j= -l -N= -o -s -t= -v -w= -x"),
  ...readers("which", "-a --all"),
  ...readers("whoami true false", ""),
  ...readers("id", "-g -G -n -r -u -z --group --groups --name --real --user --zero"),
  ...readers("pwd", "-L -P"),
  ...readers("echo", "-e -E -n"),
  ...readers("printf", ""),
  ...readers("printenv", "-0 --null"),
  ...readers("ps", "-a -A -C= -d -e -f -F -H -l -L -N -o= -p= -T -u= -U= -w -x -y --forest --format= --headers --no-headers --pid= --ppid= --sort= --user="),
  ...readers("uptime", "-p -s --pretty --since"),
  ...readers("free", "-b -g -h -k -l -m -t -w --bytes --giga --human --kibi --mebi --si --total --wide"),
  ...readers("basename", "-a -s= -z --multiple --suffix= --zero"),
  ...readers("dirname", "-z --zero"),
  ...readers("realpath readlink", "-e -f -L -m -n -P -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing --logical --no-symlinks --physical --quiet --relative-base: --relative-to: --strip --zero"),
  ...readers("md5sum sha1sum sha256sum sha512sum", HASHES),
  ...readers("cksum", `${HASHES} -a= --algorithm= --length= --raw --untagged`),
  ...readers("jq", "-a -c -C -e -j -M -n -r -R -s -S --arg --argjson --ascii-output --color-output --compact-output --exit-status --join-output --monochrome-output --null-input --raw-input --raw-output --slurp --sort-keys --tab"),
  ...readers("seq", "-f= -s= -w --equal-width --format= --separator="),
  ...readers("grep egrep fgrep", GREP),
  ...readers("diff", "-# -a -b -B -c -C= -d -e -E -i -I= -N -q -r -s -S= -t -T -u -U= -w -W= -x= -y -Z --brief --color= --context= --exclude= --ignore-all-space --ignore-blank-lines --ignore-case --ignore-space-change --label= --minimal --new-file --no-dereference --recursive --report-identical-files --side-by-side --strip-trailing-cr --text --unified= --width="),
  ...each("mkdir touch chmod chown chgrp kill pkill killall useradd usermod systemd-run patch reboot shutdown halt poweroff", WRITER),
  ...each("rm rmdir unlink shred truncate dd mkfs wipefs userdel groupdel", DESTROYER),
  ...each("cp mv", { destroys: "-", destroyingOptions: "-f --force", sparingOptions: "-n --no-clobber -b --backup" }),
  ln: { writes: "-", destroyingOptions: "-f --force" },
  tee: { destroys: "-", sparingOptions: "-a --append" },
  install: { destroys: "-", sparingOptions: "-b --backup" },
  scp: DESTROYER,
  rsync: { destroys: "-", destroyingOptions: "--del --delete --delete-after --delete-before --delete-delay --delete-during --delete-excluded --remove-source-files", sparingOptions: "-b --backup --ignore-existing" },
  sort: {
    reads: { "-": "-b -c -C -d -f -g -h -i -k= -m -M -n -r -R -s -S= -t= -u -V -z --check= --dictionary-order --field-separator= --general-numeric-sort --human-numeric-sort --ignore-case --ignore-leading-blanks --key= --merge --month-sort --numeric-sort --parallel= --random-sort --reverse --sort= --stable --unique --version-sort --zero-terminated" },
    writingOptions: "-o --output",
  },
  tree: { reads: { "-": "-a -A -c -C -d -D -f -F -g -h -i -I= -J -l -L= -n -N -p -P= -q -Q -r -s -S -t -u -U -v -x -X --charset= --dirsfirst --du --filelimit= --gitignore --ignore-case --matchdirs --noreport --prune --si --sort= --timefmt=" }, writingOptions: "-o" },
  rg: { reads: { "-": "-. -0 -a -A= -B= -c -C= -d= -e= -F -g= -H -i -I -l -L -m= -M= -n -N -o -p -P -q -r= -s -S -t= -T= -u -U -v -w -x --after-context= --before-context= --case-sensitive --color= --column --context= --count --count-matches --crlf --files --files-with-matches --files-without-match --fixed-strings --follow --glob= --heading --hidden --iglob= --ignore-case --invert-match --json --line-number --line-regexp --max-columns= --max-count= --max-depth= --max-filesize= --multiline --multiline-dotall --no-config --no-filename --no-heading --no-ignore --no-line-number --no-messages --null --only-matching --passthru --pcre2 --pretty --quiet --regexp= --replace= --smart-case --sort= --sortr= --stats --text --threads= --trim --type-list --type-not= --type= --unrestricted --vimgrep --with-filename --word-regexp" } },
  file: { reads: { "-": "-0 -b -E -F= -h -i -k -L -N -r --brief --dereference --keep-going --mime --mime-encoding --mime-type --no-dereference --no-pad --print0 --raw --separator=" }, writingOptions: "-C --compile" },
  find: {
    reads: { "-": "-a -amin= -and -anewer: -atime= -cmin= -cnewer: -ctime= -daystart -depth -empty -executable -false -follow -fstype= -gid= -group= -H -ilname= -iname= -inum= -ipath= -iregex= -iwholename= -L -links= -lname= -ls -maxdepth= -mindepth= -mmin= -mount -mtime= -name= -newer: -nogroup -noleaf -not -nouser -nowarn -o -or -P -path= -perm= -print -print0 -printf= -prune -quit -readable -regex= -regextype= -samefile: -size= -true -type= -uid= -used= -user= -wholename= -writable -xdev -xtype=" },
    writingOptions: "-fprint -fprint0 -fprintf -fls",
    destroyingOptions: "-delete",
  },
  sed: { writingOptions: "-i --in-place", destroyingOptions: "-i --in-place" },
  git: {
    reads: {
      "log,show,whatchanged,shortlog,stash list": `${GIT_LOG} -e --email --group: --numbered --summary`,
      "diff,diff-tree,diff-index,diff-files,stash show": `${GIT_DIFF} -c -m -q -r -t --cc --include-untracked --no-commit-id --only-untracked --root`,
      "range-diff": "--creation-factor= --no-dual-color --no-color --color= --stat= --no-patch -s",
      status: "-b -s -u= -v -z --ahead-behind --branch --column --ignored= --long --no-ahead-behind --no-column --no-renames --porcelain= --renames --short --untracked-files= --verbose",
      "blame,annotate": "-b -c -C= -e -f -l -L= -M= -n -p -s -t -w --abbrev= --date= --first-parent --line-porcelain --porcelain --reverse --root --show-email --show-name --show-number --since=",
      "ls-files": "-c -d -i -k -m -o -s -t -u -v -x= -z --abbrev= --cached --deleted --directory --eol --error-unmatch --exclude-standard --exclude= --full-name --ignored --modified --others --stage --unmerged",
      "ls-tree": "-d -l -r -t -z --abbrev= --format= --full-name --full-tree --long --name-only --name-status --object-only",
      "ls-remote": "-h -q -t --exit-code --get-url --heads --quiet --refs --sort: --symref --tags",
      "rev-parse": "-q --abbrev-ref= --absolute-git-dir --all --branches= --git-dir --is-bare-repository --is-inside-work-tree --quiet --remotes= --short= --show-cdup --show-prefix --show-toplevel --symbolic --symbolic-full-name --tags= --verify",
      "rev-list": `${GIT_COMMITS} --count --format: --objects --oneline --pretty:`,
      "cat-file": "-e -p -s -t",
      describe: "--abbrev= --all --always --candidates= --contains --dirty= --exact-match --exclude= --first-parent --long --match= --tags",
      grep: "-a -A= -B= -c -C= -e= -E -F -G -h -H -i -I -l -L -m= -n -o -p -P -q -v -w -W -z --after-context= --all-match --and --before-context= --break --cached --color= --column --context= --count --extended-regexp --files-with-matches --files-without-match --fixed-strings --full-name --function-context --heading --ignore-case --invert-match --line-number --max-count= --max-depth= --name-only --no-index --not --null --only-matching --or --perl-regexp --quiet --show-function --text --untracked --word-regexp",
      "merge-base": "-a --all --fork-point --independent --is-ancestor --octopus",
      "name-rev": "--all --always --exclude= --name-only --no-undefined --refs= --tags",
      "for-each-ref": "--contains= --count= --exclude= --format: --ignore-case --merged= --no-contains= --no-merged= --points-at= --sort:",
      "show-ref": "-d -q -s --abbrev= --branches --dereference --exists --hash= --head --heads --quiet --tags --verify",
      "show-branch": "-a -r --all --color= --current --independent --list --merge-base --more= --no-color --no-name --remotes --sha1-name --topics",
      "count-objects": "-H -v --human-readable --verbose",
      "check-ignore": "-n -q -v -z --no-index --non-matching --quiet --verbose",
      cherry: "-v --abbrev=",
      "worktree list": "-v -z --porcelain --verbose",
      version: "--build-options",
    },
    writes: "push,commit,add,mv,merge,rebase,cherry-pick,revert,pull,fetch,clone,init,gc,repack,apply,am,stash,stash push,stash pop,stash apply,worktree add,submodule add,submodule update,update-ref,update-index,switch,checkout,bisect,commit-tree,hash-object,fast-import,remote add,remote set-url,remote rename",
    destroys: "rm,reset,restore,clean,prune,filter-branch,stash drop,stash clear,worktree remove,remote remove,reflog expire,reflog delete",
    writingOptions: "--output",
    destroyingOptions: "--force -f --force-with-lease --mirror --delete --prune --hard -D --discard-changes",
    // A path, behind `--` or named by the call, and a branch that is forced or deleted.
    destroyingWords: { checkout: /(?:^| )-- .|^(?!.*(?:^| )(?:-b|--orphan) )(?!.* --$).*\{/u, push: /(?:^| )(?:[+:]|-d )/u },
    plainOptions: "-C: -P --bare --git-dir: --literal-pathspecs --namespace: --no-optional-locks --no-pager --work-tree:",
    otherOptions: "-c: --config-env: --exec-path:",
  },
  gh: {
    reads: { "pr list,pr view,pr diff,pr status,pr checks,issue list,issue view,issue status,repo view,repo list,run list,run view,release list,release view,gist list,gist view,search code,search issues,search prs,search repos,search commits,label list,workflow list,workflow view": `${GH} -R: --repo:`, "auth status": "" },
    writes: "pr create,pr merge,pr close,pr comment,pr edit,pr review,pr reopen,pr ready,pr checkout,issue create,issue close,issue comment,issue edit,issue reopen,repo create,repo fork,repo edit,repo clone,repo sync,release create,release upload,release edit,gist create,gist edit,workflow run,run rerun,run cancel,label create,label edit,secret set,variable set",
    destroys: "repo delete,release delete,issue delete,gist delete,label delete,secret delete,variable delete,run delete,cache delete",
  },
  docker: {
    reads: {
      "ps,images,inspect,version,info,top,port,diff,history,search,container ls,container inspect,image ls,image inspect,volume ls,volume inspect,network ls,network inspect,compose ps": `${DOCKER} -f:`,
      "logs,container logs,compose logs": `${DOCKER} -f --follow`,
      "compose config": "-q --hash= --images --no-interpolate --profiles --quiet --services --volumes",
    },
    writes: "run,exec,start,stop,kill,restart,pull,push,build,tag,create,cp,commit,login,logout,rename,update,pause,unpause,load,import,compose up,compose start,compose stop,compose restart,compose run,compose exec,volume create,network create",
    destroys: "rm,rmi,system prune,container rm,container prune,image rm,image prune,volume rm,volume prune,network rm,network prune,compose down,compose rm,builder prune",
    writingOptions: "-o --output",
  },
  kubectl: {
    reads: { "get,describe,top,version,explain,api-resources,api-versions,cluster-info,config view,rollout status,rollout history": KUBECTL, logs: `${KUBECTL} -f` },
    writes: "apply,create,patch,scale,label,annotate,set,edit,expose,autoscale,cordon,uncordon,taint,cp,exec,run,attach,replace,rollout restart,rollout undo,rollout pause,rollout resume",
    destroys: "delete,drain",
    destroyingOptions: "--force --prune",
    plainOptions: "-n= --namespace= --context:",
    otherOptions: "--kubeconfig: --profile: --profile-output: --cluster: --user: -s: --server: --token: --as: --cache-dir: --request-timeout: -v:",
  },
  terraform: { reads: { "show,output,validate,version,graph,state list,state show": "-id= -json -no-color -raw" }, writes: "import,taint,untaint,init,refresh", destroys: "apply,destroy,state rm,state push" },
  helm: { reads: { list: "-a -A -d -f= -l= -m= -o: -q -r --all --all-namespaces --date --deployed --failed --filter= --max= --no-headers --offset= --output: --pending --reverse --selector= --short --superseded --uninstalled --uninstalling", "status,get,history,show,search,version": "-a -l -o: --all --devel --max= --output: --revision= --short --show-desc --show-resources --version= --versions" }, plainOptions: "-n= --namespace=", writes: "install,upgrade,rollback,repo add,push", destroys: "uninstall,delete" },
  systemctl: { reads: { "status,show,list-units,list-unit-files,list-timers,is-active,is-enabled,is-failed,cat": "-a -l -n= -o= -p= -q -r -t= --all --failed --full --lines= --no-legend --output= --plain --property= --quiet --recursive --state= --type= --value" }, writes: "start,stop,restart,reload,enable,disable,mask,unmask,daemon-reload,kill,set-property,isolate,poweroff,reboot,halt", plainOptions: "--user --system --no-pager" },
  npm: { reads: { "ls,list,view,info,outdated,search,whoami,ping,explain,root,prefix": "-a -g -l -p --all --depth= --dev --global --include= --json --link --long --omit= --parseable --prod --production --searchlimit= -w: --workspace: --workspaces" }, writes: "install,i,ci,update,publish,run,exec,start,test,version,link,audit fix,dist-tag add,init,deprecate", destroys: "uninstall,remove,rm,un,unpublish,dist-tag rm" },
  "apt-get": { writes: "install,update,upgrade,dist-upgrade", destroys: "remove,purge,autoremove" },
  pip: { reads: { "list,show,freeze,check": "-l -o -q -u -v --all --disable-pip-version-check --editable --exclude= --files --format= --local --no-color --no-input --not-required --outdated --pre --quiet --uptodate --user --verbose" }, writes: "install,download,wheel", destroys: "uninstall" },
  aws: { writes: "s3 cp,s3 sync,s3 mb", destroys: "s3 rm,s3 mv,s3 rb", reads: { "s3 ls,sts get-caller-identity": "--human-readable --no-cli-pager --no-paginate --output= --page-size= --query= --recursive --region: --summarize" } },
};

/** Programs and subcommands that send nothing to another machine when they only read. */
export const LOCAL_READERS: ReadonlySet<string> = new Set([
  ..."cat head tail wc ls stat du df cut tr comm cmp nl od basename dirname realpath readlink echo seq".split(" "),
  ..."md5sum sha1sum sha256sum sha512sum cksum jq grep egrep fgrep diff sort tree rg file find".split(" "),
  ..."status log blame ls-files rev-parse rev-list describe".split(" ").map((subcommand) => `git ${subcommand}`),
]);

/** Programs that change files of the machine and send nothing to another. */
export const LOCAL_WRITERS: ReadonlySet<string> = new Set("mkdir touch ln cp mv rm rmdir unlink truncate".split(" "));

/** Options that make a command only report what it would do. */
export const DRY_OPTIONS = "--dry-run --dryrun --simulate --just-print";
