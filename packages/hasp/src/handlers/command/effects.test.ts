import { expect, test } from "vitest";
import { commandEffects } from "./effects.js";

test.each([
  "git log --max-count={limit} -- {path}",
  "git -C {folder} --no-pager diff --stat {base}...HEAD",
  "git show {commit}",
  "git stash list",
  "/usr/bin/git status --porcelain",
  "ls -la -- {path}",
  "cat -- {path}",
  "rg --json --max-count 5 -- {pattern} {path}",
  "find . -name {pattern} -type f",
  "sort -u -- {file}",
  "wc -l {file}",
  "kubectl -n {namespace} get pods -o json",
  "docker logs --tail 100 {container}",
  "gh pr view {number} --json title",
  "npm view {name} version",
  "curl -sSL -H Accept:application/json https://example.com/items/{id}",
  "curl -G -d q={query} https://example.com/search",
  "curl -sI -o /dev/null https://example.com",
  "gh api repos/{owner}/{repo}",
])("reads: %s", (line) => {
  expect(commandEffects({ argv: line.split(" ") })).toMatchObject([{ verdict: "reads" }]);
});

test.each([
  ["git push", "/argv/1"],
  ["git push --force origin {branch}", "/argv/1", true],
  ["git -C {folder} commit -m {message}", "/argv/3"],
  ["git -c user.name=x push", "/argv/3"],
  ["git {command}", "/argv/1"],
  ["git reset --hard {commit}", "/argv/1", true],
  ["git clean -fd", "/argv/1", true],
  ["git log --output={file}", "/argv/1"],
  ["git stash drop", "/argv/2", true],
  ["rm -rf {path}", "/argv/0", true],
  ["/bin/rm {path}", "/argv/0", true],
  ["sudo -u root rm {path}", "/argv/3", true],
  ["env A=b timeout 5s xargs -I {} rm {}", "/argv/7", true],
  ["{program} {argument}", "/argv/0"],
  ["sudo {program}", "/argv/1"],
  ["find {folder} -name *.tmp -delete", "/argv/0", true],
  ["find . -fprintf {file} %p", "/argv/0"],
  ["sed -i s/a/b/ {file}", "/argv/0", true],
  ["sort -o {file} {file}", "/argv/0"],
  ["sort --outp={file} {file}", "/argv/0"],
  ["tee {file}", "/argv/0"],
  ["mv {from} {to}", "/argv/0"],
  ["bash -c {script}", "/argv/2"],
  ["sh -euc {script}", "/argv/2"],
  ["python3 -c print({expression})", "/argv/2"],
  ["docker run {image}", "/argv/1"],
  ["docker volume rm {name}", "/argv/2", true],
  ["kubectl delete pod {name}", "/argv/1", true],
  ["kubectl --namespace {namespace} apply -f {file}", "/argv/3"],
  ["terraform destroy -auto-approve", "/argv/1", true],
  ["npm publish", "/argv/1"],
  ["gh pr merge {number}", "/argv/2"],
  ["gh repo delete {name}", "/argv/2", true],
  ["gh api -X DELETE repos/{name}", "/argv/2", true],
  ["gh api repos/x/issues -f title={title}", "/argv/3"],
  ["curl -X POST https://example.com", "/argv/1"],
  ["curl -sXDELETE https://example.com/{id}", "/argv/1", true],
  ["curl --request=PUT https://example.com", "/argv/1"],
  ["curl -sSd {body} https://example.com", "/argv/1"],
  ["curl --json {body} https://example.com", "/argv/1"],
  ["curl -T {file} https://example.com", "/argv/1"],
  ["curl -X {method} https://example.com", "/argv/1"],
  ["curl -so {file} https://example.com", "/argv/1"],
  ["wget --post-data {data} https://example.com", "/argv/1"],
] as const)("writes: %s", (line, at, destructive?: boolean) => {
  const [effect, ...others] = commandEffects({ argv: line.split(" ") });
  expect(others).toEqual([]);
  expect(effect).toMatchObject({ verdict: "writes", at });
  expect(effect?.destructive).toBe(destructive);
});

test.each([
  "./git log",
  "my-tool --read",
  "git",
  "git my-alias",
  "git -c core.pager=x log",
  "git grep -O{pager} {pattern}",
  "git log -{flag}",
  "git push --dry-run",
  "sudo cat {file}",
  "env",
  "rg --pre {program} {pattern}",
  "find . -exec cat {} ;",
  "sed s/a/b/ {file}",
  "awk {program}",
  "bash script.sh {argument}",
  "curl {url}",
  "curl -K {file} https://example.com",
  "docker compose",
  "constructor",
])("unknown: %s", (line) => {
  expect(commandEffects({ argv: line.split(" ") })).toEqual([]);
});
