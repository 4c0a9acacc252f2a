// What VS Code shows by itself, as notifications, questions, lists, tree rows and titles: text from outside stays text there.

import type { Row } from './row.ts';

const folder = 'src/host/notify';
const notify = 'test/unit/host/notify.test.ts';
const house = 'test/house/notify.test.ts';

/** One text that a function of the folder hands over, and the same code with the text as it came. */
function handed(what: string, file: string, text: string, replacement: string): Row {
  const defence = `${what} is cleaned before VS Code shows it`;
  return { defence, attacks: [26], file: `${folder}/${file}`, text, replacement, tests: [notify] };
}

const functions: readonly Row[] = [
  handed(
    'The text of a notification',
    'messages.ts',
    'functions[severity](cleanLine(text), ...items)',
    'functions[severity](text, ...items)',
  ),
  handed('A button of a notification', 'messages.ts', 'title: cleanLine(button, limits.label)', 'title: button'),
  handed('The text of a question', 'messages.ts', 'exactLine(text, limits.line),', 'text,'),
  handed('Each line of the detail of a question', 'messages.ts', 'detail.map(line => exactLine(line))', 'detail'),
  handed('A button of a question', 'messages.ts', 'title: exactLine(button, limits.label)', 'title: button'),
  handed('The prompt of an input box', 'inputs.ts', 'prompt: cleanLine(prompt),', 'prompt,'),
  handed(
    'The title of an input box',
    'inputs.ts',
    '{ title: cleanLine(title, limits.label) }),\n    ...(placeHolder',
    '{ title }),\n    ...(placeHolder',
  ),
  handed(
    'The placeholder of an input box',
    'inputs.ts',
    '{ placeHolder: cleanLine(placeHolder, limits.label) }',
    '{ placeHolder }',
  ),
  handed('What is wrong with a text that is typed', 'inputs.ts', 'undefined : cleanLine(wrong);', 'undefined : wrong;'),
  handed(
    'The title of a dialog that opens files',
    'inputs.ts',
    'const shown = { title: cleanLine(title, limits.label),',
    'const shown = { title,',
  ),
  handed(
    'The button of a dialog that opens files',
    'inputs.ts',
    'openLabel: cleanLine(openLabel, limits.label)',
    'openLabel',
  ),
  handed(
    'The title of a dialog that saves a file',
    'inputs.ts',
    'title: cleanLine(options.title, limits.label)',
    'title: options.title',
  ),
  handed('The label of a row of a list', 'pickers.ts', 'label: cleanLine(label, limits.label)', 'label'),
  handed(
    'The description of a row of a list',
    'pickers.ts',
    '{ description: cleanLine(description, limits.label) }',
    '{ description }',
  ),
  handed('The detail of a row of a list', 'pickers.ts', '{ detail: cleanLine(detail) }', '{ detail }'),
  handed('The title of a list', 'pickers.ts', '    title: cleanLine(title, limits.label),\n', '    title,\n'),
  handed('The placeholder of a list', 'pickers.ts', '{ placeHolder: cleanLine(placeHolder) }', '{ placeHolder }'),
  handed(
    'The title of a list that changes',
    'pickers.ts',
    'pick.title = cleanLine(title, limits.label);',
    'pick.title = title;',
  ),
  handed(
    'The placeholder of a list that changes',
    'pickers.ts',
    'pick.placeholder = cleanLine(placeholder);',
    'pick.placeholder = placeholder;',
  ),
  handed(
    'Each row of a list that changes',
    'pickers.ts',
    'pick.items = rows.map(shownRow);',
    'pick.items = rows.map(row => ({ ...row, row }));',
  ),
  handed(
    'Each row of a list in which one is chosen',
    'pickers.ts',
    'window.showQuickPick(rows.map(shownRow), cleanOptions(options))',
    'window.showQuickPick(rows.map(row => ({ ...row, row })), cleanOptions(options))',
  ),
  handed(
    'Each row of a list in which several are chosen',
    'pickers.ts',
    'const picked = await window.showQuickPick(rows.map(shownRow),',
    'const picked = await window.showQuickPick(rows.map(row => ({ ...row, row })),',
  ),
  handed(
    'What stands around a list in which one is chosen',
    'pickers.ts',
    'showQuickPick(rows.map(shownRow), cleanOptions(options))',
    'showQuickPick(rows.map(shownRow), options)',
  ),
  handed(
    'What stands around a list in which several are chosen',
    'pickers.ts',
    '{ ...cleanOptions(options), canPickMany: true }',
    '{ ...options, canPickMany: true }',
  ),
  handed('The title of progress', 'progress.ts', 'title: cleanLine(title, limits.label)', 'title'),
  handed(
    'A step of progress',
    'progress.ts',
    'message: cleanLine(step.message, limits.label)',
    'message: step.message',
  ),
  handed(
    'The text of the status bar',
    'statusItem.ts',
    '`$(${icon}) ${cleanLine(text, limits.label)}`',
    '`$(${icon}) ${text}`',
  ),
  handed(
    'The tooltip of the status bar',
    'statusItem.ts',
    'tooltip.map(line => cleanLine(line, limits.label))',
    'tooltip',
  ),
  handed('What a screen reader says of the status bar', 'statusItem.ts', 'label: cleanLine(spoken)', 'label: spoken'),
  handed(
    'The title of a new tab',
    'titles.ts',
    'createWebviewPanel(type, cleanLine(title, limits.label), column',
    'createWebviewPanel(type, title, column',
  ),
  handed('The title of a tab', 'titles.ts', 'panel.title = cleanLine(title, limits.label);', 'panel.title = title;'),
  handed(
    'What stands beside the title of a view',
    'titles.ts',
    'view.description = cleanLine(text, limits.label);',
    'view.description = text;',
  ),
  handed('The name of a terminal', 'titles.ts', 'name: cleanLine(options.name, limits.label)', 'name: options.name'),
  handed(
    'The title of a diff',
    'titles.ts',
    "'vscode.diff', left, right, cleanLine(title, limits.label),",
    "'vscode.diff', left, right, title,",
  ),
  handed(
    'The title of several diffs',
    'titles.ts',
    "'vscode.changes', cleanLine(title, limits.label),",
    "'vscode.changes', title,",
  ),
  handed(
    'The label of a tree row',
    'treeItems.ts',
    'new TreeItem(cleanLine(label, limits.label), state)',
    'new TreeItem(label, state)',
  ),
  handed(
    'The description of a tree row',
    'treeItems.ts',
    'item.description = cleanLine(description, limits.label);',
    'item.description = description;',
  ),
  handed('What a screen reader says of a tree row', 'treeItems.ts', 'label: cleanLine(spoken)', 'label: spoken'),
  handed('The tooltip of a tree row', 'treeItems.ts', 'lines.map(line => cleanLine(line))', 'lines'),
  handed(
    'What stands above the rows of a view',
    'treeItems.ts',
    'view.message = cleanLine(text);',
    'view.message = text;',
  ),
  handed('The tooltip of the number on a view', 'treeItems.ts', 'tooltip: cleanLine(tooltip)', 'tooltip'),
];

/** Code elsewhere that shows a text by itself. */
function elsewhere(what: string, code: string): Row {
  return {
    defence: `${what} past the module that cleans it is found`,
    attacks: [26],
    file: 'src/host/report.ts',
    text: 'export function reportTo(',
    replacement: `${code}\nexport function reportTo(`,
    tests: [house],
    only: 'nothing is shown to a person',
  };
}

export const notifying: readonly Row[] = [
  ...functions,
  elsewhere(
    'A notification',
    "import { window } from 'vscode';\nexport const show = (words: string) => window.showErrorMessage(words);",
  ),
  elsewhere(
    'A list that is made',
    "import { window } from 'vscode';\nexport const list = () => window.createQuickPick();",
  ),
  elsewhere(
    'A tooltip that is set',
    "import type { TreeItem } from 'vscode';\nexport const tip = (item: TreeItem) => (item.tooltip = 'a');",
  ),
  elsewhere('A window that is handed on', "import { window } from 'vscode';\nexport const handed = [window];"),
];
