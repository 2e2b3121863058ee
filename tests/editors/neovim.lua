-- Neovim as a client of the server: opens a design, waits for what is said of it, looks at a
-- name, saves, and lets a correction be applied. Prints `done`, or what is wrong.
local program, design = os.getenv('RESPIN'), os.getenv('DESIGN')

local function fail(text)
  io.stdout:write('failed: ' .. text .. '\n')
  vim.cmd('cquit!')
end

local function await(what, condition)
  if not vim.wait(120000, condition, 20) then
    fail(what .. ': ' .. vim.inspect(vim.diagnostic.get()))
  end
end

vim.cmd('edit ' .. design)
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({ name = 'respin', cmd = { program, 'lsp' } })
vim.lsp.buf_attach_client(buffer, client)
await('the server starts', function()
  return vim.lsp.buf_is_attached(buffer, client) and vim.lsp.get_client_by_id(client) ~= nil
end)

-- A mistake is typed, shown, and taken back.
local function errors()
  return vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.ERROR })
end
local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
vim.api.nvim_buf_set_lines(buffer, 24, 25, false, { (lines[25]:gsub('level <=', 'levle <=')) })
await('a mistake is shown', function()
  local found = errors()
  return #found == 1 and found[1].lnum == 24
end)
vim.api.nvim_buf_set_lines(buffer, 24, 25, false, { lines[25] })
await('it is taken back', function() return #errors() == 0 end)

local function ask(method, line, column)
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    position = { line = line, character = column },
  }
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 120000) or {}
  return (answers[client] or {}).result
end
local at = lines[25]:find('level')
local hover = ask('textDocument/hover', 24, at)
if not (hover and hover.contents.value:find('2 bits')) then
  fail('hover: ' .. vim.inspect(hover))
end
local target = ask('textDocument/definition', 24, at)
if not (target and target[1] and target[1].uri == vim.uri_from_bufnr(buffer)) then
  fail('definition: ' .. vim.inspect(target))
end

-- The verdict, and the correction.
vim.cmd('write')
await('a correction is offered', function()
  for _, one in ipairs(vim.diagnostic.get(buffer)) do
    if one.message:find('^correction 1: ') then return true end
  end
  return false
end)
local range = { start = { line = 24, character = 0 }, ['end'] = { line = 24, character = 40 } }
local params = {
  textDocument = vim.lsp.util.make_text_document_params(buffer),
  range = range,
  context = { diagnostics = {} },
}
local answers = vim.lsp.buf_request_sync(buffer, 'textDocument/codeAction', params, 120000) or {}
local actions = (answers[client] or {}).result or {}
if #actions == 0 then
  fail('there are no actions')
end
local encoding = vim.lsp.get_client_by_id(client).offset_encoding
vim.lsp.util.apply_workspace_edit(actions[1].edit, encoding)
vim.cmd('write')
local corrected = vim.api.nvim_buf_get_lines(buffer, 24, 25, false)[1]
io.stdout:write(corrected .. '\ndone\n')
vim.lsp.stop_client(client)
vim.cmd('quitall!')
