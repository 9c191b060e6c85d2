-- Drives Neovim as a person would, and prints what that person sees. HASP names the command line, FILES the project.
local hasp = vim.env.HASP
local api = vim.api

local function say(text)
  io.stdout:write(text .. "\n")
end

local function wait_for(what, condition)
  if not vim.wait(30000, condition, 20) then
    say("waited in vain for " .. what)
    vim.cmd("cquit 1")
  end
end

local function show_findings(buffer)
  for _, found in ipairs(vim.diagnostic.get(buffer)) do
    local severity = vim.diagnostic.severity[found.severity]
    local message = vim.split(found.message, "\n")[1]
    say(string.format("  %d:%d %s %s: %s", found.lnum + 1, found.col + 1, severity, found.code, message))
  end
end

local client
local function open(path)
  say(":edit " .. path)
  vim.cmd("edit " .. path)
  local buffer = api.nvim_get_current_buf()
  client = client or vim.lsp.start_client({ name = "hasp", cmd = { vim.env.NODE, hasp, "lsp", "--stdio" }, root_dir = vim.fn.getcwd() })
  vim.lsp.buf_attach_client(buffer, client)
  wait_for("the client", function()
    return vim.lsp.buf_is_attached(buffer, client) and vim.lsp.get_client_by_id(client).initialized
  end)
  return buffer
end

local function request(buffer, method, parameters)
  local answers = vim.lsp.buf_request_sync(buffer, method, parameters, 30000) or {}
  local answer = answers[client] or {}
  if answer.error then
    say("  " .. answer.error.message)
  end
  return answer.result
end

local function apply(edit)
  vim.lsp.util.apply_workspace_edit(edit, "utf-16")
  vim.cmd("silent wall")
end

local function move_to(text)
  vim.fn.cursor(1, 1)
  vim.fn.search("\\V" .. text)
end

-- Findings.
local greet = open("specs/greet.tool.yaml")
wait_for("findings", function()
  return #vim.diagnostic.get(greet) > 0
end)
show_findings(greet)

-- A fix, as :lua vim.lsp.buf.code_action() offers it.
move_to("hasp-ignore")
say(":lua vim.lsp.buf.code_action()")
local parameters = vim.lsp.util.make_range_params()
parameters.context = { diagnostics = {} }
for _, action in ipairs(request(greet, "textDocument/codeAction", parameters)) do
  say("  " .. action.title)
  if action.isPreferred then
    apply(action.edit)
  end
end
wait_for("the fix", function()
  return #vim.diagnostic.get(greet) == 0
end)
say("  no findings are left")

-- A hover.
move_to("isOpenWorld")
say(":lua vim.lsp.buf.hover()")
local hover = request(greet, "textDocument/hover", vim.lsp.util.make_position_params())
for _, line in ipairs(vim.split(hover.contents.value, "\n")) do
  if line ~= "" then
    say("  " .. line)
  end
end

-- A rename, through the policy.
move_to("greet")
vim.fn.search("greet", "c")
say(":lua vim.lsp.buf.rename('welcome')")
local rename = vim.lsp.util.make_position_params()
rename.newName = "welcome"
apply(request(greet, "textDocument/rename", rename))
for _, path in ipairs({ "specs/greet.tool.yaml", "policies/shop.yaml" }) do
  for _, line in ipairs(vim.fn.readfile(path)) do
    if line:find("welcome") then
      say("  " .. path .. ": " .. vim.trim(line))
    end
  end
end
vim.cmd("qall!")
