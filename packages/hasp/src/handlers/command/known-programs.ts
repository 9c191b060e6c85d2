/** What is known of a program. Whatever is not listed is unknown. */
export interface KnownProgram {
  /** Subcommands that only read. A program without subcommands has the subcommand `""`. */
  readonly reads?: string;
  /** Subcommands that change something. */
  readonly writes?: string;
  /** Subcommands that also delete, discard or overwrite something. */
  readonly destroys?: string;
  /** Options with which a reading subcommand changes something. */
  readonly writingOptions?: string;
  /** Options with which a subcommand of any kind deletes, discards or overwrites something. */
  readonly destroyingOptions?: string;
  /** Options with which a reading subcommand may run any other program, or do what is not known here. */
  readonly doubtfulOptions?: string;
  /** Options that are before the subcommand and have a value of their own. */
  readonly optionsWithValue?: string;
  /** Options that are before the subcommand and change nothing about it. */
  readonly plainOptions?: string;
}

const READER: KnownProgram = { reads: "-" };
const WRITER: KnownProgram = { writes: "-" };
const DESTROYER: KnownProgram = { destroys: "-" };

const each = (names: string, facts: KnownProgram): { readonly [name: string]: KnownProgram } =>
  Object.fromEntries(names.split(" ").map((name) => [name, facts]));

/**
 * Programs whose effects are known from their names and first words: those that agents are commonly given. The words of a
 * list are divided by commas; `-` stands for a program without subcommands. A doubtful form is left out, since what is
 * unknown contradicts no claim and supports none.
 */
// prettier-ignore
export const KNOWN_PROGRAMS: { readonly [name: string]: KnownProgram | undefined } = {
  ...each("cat head tail wc ls stat du df cut tr comm cmp nl od which whoami id pwd echo printf printenv true false ps uptime free basename dirname realpath readlink md5sum sha1sum sha256sum sha512sum cksum jq seq grep egrep fgrep diff", READER),
  ...each("mkdir touch ln chmod chown chgrp tee kill pkill killall useradd usermod systemd-run cp mv install scp rsync patch reboot shutdown halt poweroff", WRITER),
  ...each("rm rmdir unlink shred truncate dd mkfs wipefs userdel groupdel", DESTROYER),
  sort: { reads: "-", writingOptions: "-o --output", doubtfulOptions: "--compress-program" },
  tree: { reads: "-", writingOptions: "-o" },
  rg: { reads: "-", doubtfulOptions: "--pre --hostname-bin --search-zip -z" },
  file: { reads: "-", writingOptions: "-C --compile" },
  find: {
    reads: "-",
    writingOptions: "-fprint -fprint0 -fprintf -fls",
    destroyingOptions: "-delete",
    doubtfulOptions: "-exec -execdir -ok -okdir",
  },
  sed: { writingOptions: "-i --in-place", destroyingOptions: "-i --in-place" },
  git: {
    reads: "log,show,diff,status,blame,annotate,ls-files,ls-tree,ls-remote,rev-parse,rev-list,cat-file,describe,shortlog,grep,merge-base,name-rev,for-each-ref,show-ref,show-branch,diff-tree,diff-index,diff-files,count-objects,check-ignore,whatchanged,cherry,range-diff,stash list,stash show,worktree list,version",
    writes: "push,commit,add,mv,merge,rebase,cherry-pick,revert,pull,fetch,clone,init,gc,repack,apply,am,stash,stash push,stash pop,stash apply,worktree add,submodule add,submodule update,update-ref,update-index,switch,checkout,bisect,commit-tree,hash-object,fast-import,remote add,remote set-url,remote rename",
    destroys: "rm,reset,restore,clean,prune,filter-branch,stash drop,stash clear,worktree remove,remote remove,reflog expire,reflog delete",
    writingOptions: "--output",
    destroyingOptions: "--force -f --force-with-lease --mirror --delete --hard -D",
    doubtfulOptions: "-c --config-env --exec-path --ext-diff --textconv --filters -O --open-files-in-pager --exec --upload-pack",
    optionsWithValue: "-C -c --config-env --exec-path --git-dir --work-tree --namespace",
    plainOptions: "--no-pager -P --literal-pathspecs --no-optional-locks --bare",
  },
  gh: {
    reads: "pr list,pr view,pr diff,pr status,pr checks,issue list,issue view,issue status,repo view,repo list,run list,run view,release list,release view,gist list,gist view,search code,search issues,search prs,search repos,search commits,label list,workflow list,workflow view,auth status",
    writes: "pr create,pr merge,pr close,pr comment,pr edit,pr review,pr reopen,pr ready,pr checkout,issue create,issue close,issue comment,issue edit,issue reopen,repo create,repo fork,repo edit,repo clone,repo sync,release create,release upload,release edit,gist create,gist edit,workflow run,run rerun,run cancel,label create,label edit,secret set,variable set",
    destroys: "repo delete,release delete,issue delete,gist delete,label delete,secret delete,variable delete,run delete,cache delete",
  },
  docker: {
    reads: "ps,images,inspect,logs,version,info,top,port,diff,history,search,container ls,container inspect,container logs,image ls,image inspect,volume ls,volume inspect,network ls,network inspect,compose ps,compose logs,compose config",
    writes: "run,exec,start,stop,kill,restart,pull,push,build,tag,create,cp,commit,login,logout,rename,update,pause,unpause,load,import,compose up,compose start,compose stop,compose restart,compose run,compose exec,volume create,network create",
    destroys: "rm,rmi,system prune,container rm,container prune,image rm,image prune,volume rm,volume prune,network rm,network prune,compose down,compose rm,builder prune",
    writingOptions: "-o --output",
  },
  kubectl: {
    reads: "get,describe,logs,top,version,explain,api-resources,api-versions,cluster-info,config view,rollout status,rollout history",
    writes: "apply,create,patch,scale,label,annotate,set,edit,expose,autoscale,cordon,uncordon,taint,cp,exec,run,attach,replace,rollout restart,rollout undo,rollout pause,rollout resume",
    destroys: "delete,drain",
    writingOptions: "--output-directory",
    optionsWithValue: "-n --namespace --context --kubeconfig",
  },
  terraform: { reads: "show,output,validate,version,graph,state list,state show", writes: "import,taint,untaint,init,refresh", destroys: "apply,destroy,state rm,state push" },
  helm: { reads: "list,status,get,history,show,search,version", writes: "install,upgrade,rollback,repo add,push", destroys: "uninstall,delete" },
  systemctl: { reads: "status,show,list-units,list-unit-files,list-timers,is-active,is-enabled,is-failed,cat", writes: "start,stop,restart,reload,enable,disable,mask,unmask,daemon-reload,kill,set-property,isolate,poweroff,reboot,halt", plainOptions: "--user --system --no-pager" },
  npm: { reads: "ls,list,view,info,outdated,search,whoami,ping,explain,root,prefix", writes: "install,i,ci,update,publish,uninstall,remove,run,exec,start,test,version,link,audit fix,dist-tag add,init,deprecate", destroys: "unpublish,dist-tag rm" },
  "apt-get": { writes: "install,update,upgrade,dist-upgrade", destroys: "remove,purge,autoremove" },
  pip: { reads: "list,show,freeze,check", writes: "install,download,wheel", destroys: "uninstall" },
  aws: { writes: "s3 cp,s3 sync,s3 mb", destroys: "s3 rm,s3 mv,s3 rb", reads: "s3 ls,sts get-caller-identity" },
};

/** Options with which a command only says what it would do. */
export const DRY_OPTIONS = "--dry-run --dryrun --simulate --just-print";

/** Programs that run the command after them, with those of their options that have a value of their own. */
export const WRAPPERS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    sudo: ["-u", "-g"],
    doas: ["-u"],
    env: ["-u", "-C"],
    timeout: ["-s", "-k"],
    xargs: ["-I", "-d", "-E"],
    nice: ["-n"],
    nohup: [],
    time: [],
    stdbuf: [],
    setsid: [],
  }).map(([name, options]) => [name, new Set(options)]),
);
