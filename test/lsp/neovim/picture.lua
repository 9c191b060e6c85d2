-- Opens a spec of the shop in Neovim with `hasp lsp` and points at a claim. Writes a file once the screen is complete.
vim.o.termguicolors = true
vim.o.background = "light"
vim.o.number = true
vim.o.signcolumn = "yes"
vim.o.laststatus = 0
vim.o.ruler = false
vim.o.wrap = false
vim.o.fillchars = "eob: "
vim.cmd("syntax on")
for name, colours in pairs({
  SignColumn = { bg = "NONE" },
  LineNr = { fg = "#a8a49c" },
  LspCodeLens = { fg = "#0b5c6b", italic = true },
  NormalFloat = { bg = "#f3f1ec" },
  FloatBorder = { fg = "#8a857c", bg = "#f3f1ec" },
  DiagnosticError = { fg = "#a3261c" },
  yamlBlockMappingKey = { fg = "#0b5c6b" },
  yamlFlowMappingKey = { fg = "#0b5c6b" },
  yamlInteger = { fg = "#7a4a00" },
  markdownError = { fg = "#1d1f21" },
  yamlPlainScalar = { fg = "#1d1f21" },
}) do
  vim.api.nvim_set_hl(0, name, colours)
end
vim.lsp.handlers["textDocument/hover"] = vim.lsp.with(vim.lsp.handlers.hover, { border = "single", max_width = 92 })

vim.cmd("edit specs/release_notes.tool.yaml")
local buffer = vim.api.nvim_get_current_buf()
local command = { vim.env.NODE, vim.env.HASP, "lsp", "--stdio" }
vim.lsp.buf_attach_client(buffer, vim.lsp.start_client({ name = "hasp", cmd = command, root_dir = vim.fn.getcwd() }))

local function is_there(what)
  return function()
    return what() ~= nil
  end
end

local function hovering()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      return window
    end
  end
end

vim.wait(30000, is_there(function()
  return vim.diagnostic.get(buffer)[1]
end), 20)
vim.lsp.codelens.refresh()
vim.wait(30000, is_there(function()
  return vim.lsp.codelens.get(buffer)[1]
end), 20)
vim.fn.search("class:")
vim.lsp.buf.hover()
vim.wait(30000, is_there(hovering), 20)
vim.cmd("echo ''")
vim.defer_fn(function()
  vim.fn.writefile({}, vim.env.READY)
end, 300)
