import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const COLUMNS = 118;
const ROWS = 36;
const SERVER = ["-L", `hasp-picture-${process.pid}`, "-f", "/dev/null"];

/**
 * Draws Neovim with a spec of the project as a page: it runs in a terminal of tmux, which gives each character with its
 * colours.
 */
export async function neovimScreen(folder, hasp) {
  const ready = join(folder, "screen-is-complete");
  const script = resolve(import.meta.dirname, "neovim/picture.lua");
  const command = `exec nvim --clean -n -i NONE -c 'luafile ${script}'`;
  const env = { ...process.env, NODE: process.execPath, HASP: hasp, READY: ready };
  const size = ["-x", String(COLUMNS), "-y", String(ROWS)];
  execFileSync("tmux", [...SERVER, "new-session", "-d", ...size, command], { cwd: folder, env });
  try {
    for (let waited = 0; !existsSync(ready); waited += 100) {
      if (waited > 60_000) throw new Error("Neovim did not show what it was to show within a minute.");
      await wait(100);
    }
    const screen = execFileSync("tmux", [...SERVER, "capture-pane", "-e", "-p"], { encoding: "utf8" });
    return page(screen);
  } finally {
    execFileSync("tmux", [...SERVER, "kill-server"]);
  }
}

function page(screen) {
  return `<!doctype html><meta charset="utf-8"><title>Neovim</title>
<style>
  body { margin: 0; }
  span { padding: 2px 0; }
  pre { display: inline-block; margin: 0; padding: 14px 16px; background: #fdfcfa; color: #1d1f21;
    font: 14px/20px "DejaVu Sans Mono", "Liberation Mono", monospace; }
</style>
<pre>${spans(screen.trimEnd())}</pre>`;
}

/** Text with the escape sequences of a terminal as HTML. */
function spans(text) {
  let style = {};
  return text
    .split(/\u001B\[([\d;:]*)m/u)
    .map((part, index) => {
      if (index % 2 === 1) {
        style = styled(style, part.split(";").map(Number));
        return "";
      }
      const css = Object.entries(style).map(([name, value]) => `${name}:${value}`);
      const escaped = part.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
      return css.length === 0 ? escaped : `<span style="${css.join(";")}">${escaped}</span>`;
    })
    .join("");
}

/** A style after one escape sequence: colours, bold, italic; what else there may be changes nothing. */
function styled(style, codes) {
  const next = { ...style };
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index];
    if (code === 0) return styled({}, codes.slice(index + 1));
    if (code === 1) next["font-weight"] = "bold";
    if (code === 3) next["font-style"] = "italic";
    if (code === 22) delete next["font-weight"];
    if (code === 23) delete next["font-style"];
    if (code === 39) delete next.color;
    if (code === 49) delete next.background;
    if (code === 38 || code === 48) {
      next[code === 38 ? "color" : "background"] = `rgb(${codes.slice(index + 2, index + 5).join(",")})`;
      index += 4;
    }
  }
  return next;
}
