// Whatever a person reads in VS Code's own user interface is handed over by src/host/notify, which cleans it. The
// compiler's syntax trees and types show where other code would do so, and the test proves that it finds each way of
// doing so by planting them.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { SyntaxKind, type Node, type SourceFile } from 'typescript/unstable/ast';
import * as is from 'typescript/unstable/ast/is';
import { API, SymbolFlags, type Checker } from 'typescript/unstable/sync';

const root = join(import.meta.dirname, '../..');
const host = join(root, 'src/host');

/** Members of `window` and commands that show a text which they are given. */
const showing = new Set([
  ...['showInformationMessage', 'showWarningMessage', 'showErrorMessage', 'setStatusBarMessage'],
  ...['withProgress', 'withScmProgress', 'createStatusBarItem', 'createTerminal', 'createWebviewPanel'],
  ...['showInputBox', 'createInputBox', 'showQuickPick', 'createQuickPick', 'showWorkspaceFolderPick'],
  ...['showOpenDialog', 'showSaveDialog', 'vscode.diff', 'vscode.changes'],
]);

/** Classes of which nobody else makes an object. */
const made = new Set(['TreeItem', 'MarkdownString']);

/** Properties that VS Code shows, of whatever object of its own. */
const shown = new Set([
  ...['title', 'message', 'description', 'tooltip', 'badge', 'text', 'label', 'detail', 'name'],
  ...['placeholder', 'prompt', 'validationMessage', 'accessibilityInformation'],
]);

interface Found {
  readonly file: string;
  readonly what: string;
}

function findIn(file: SourceFile, checker: Checker): readonly string[] {
  const found: string[] = [];
  const look = (node: Node): void => {
    const what = shownBy(node, checker);
    if (what !== null) found.push(what);
    node.forEachChild(look);
  };
  look(file);
  return found;
}

function shownBy(node: Node, checker: Checker): string | null {
  if (is.isIdentifier(node)) {
    if (showing.has(node.text)) return node.text;
    return node.text === 'window' && isPassedOn(node, checker) ? 'window as a value' : null;
  }
  if (is.isStringLiteral(node) || is.isNoSubstitutionTemplateLiteral(node)) {
    if (showing.has(node.text)) return node.text;
    return node.text === 'vscode' && !is.isImportDeclaration(node.parent) ? 'a late import of vscode' : null;
  }
  if (is.isImportDeclaration(node)) return importOf(node);
  if (is.isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.EqualsToken) {
    const { left } = node;
    if (!is.isPropertyAccessExpression(left) || !shown.has(left.name.text)) return null;
    return isOfVscode(left.name, checker) ? `.${left.name.text} =` : null;
  }
  return null;
}

function importOf(node: Node): string | null {
  if (!is.isImportDeclaration(node) || !is.isStringLiteral(node.moduleSpecifier)) return null;
  if (node.moduleSpecifier.text !== 'vscode' || node.importClause === undefined) return null;
  const { namedBindings, phaseModifier } = node.importClause;
  if (phaseModifier === SyntaxKind.TypeKeyword) return null;
  if (namedBindings === undefined || !is.isNamedImports(namedBindings)) return 'vscode as a whole';
  for (const { isTypeOnly, name, propertyName } of namedBindings.elements) {
    if (isTypeOnly) continue;
    const imported = (propertyName ?? name).text;
    if (made.has(imported)) return imported;
    if (imported === 'window' && propertyName !== undefined) return 'window by another name';
  }
  return null;
}

/** True of VS Code's `window` where it is not followed by the name of a member. */
function isPassedOn(node: Node, checker: Checker): boolean {
  const { parent } = node;
  if (is.isImportSpecifier(parent) || is.isPropertyAccessExpression(parent)) return false;
  return isOfVscode(node, checker);
}

function isOfVscode(node: Node, checker: Checker): boolean {
  const named = checker.getSymbolAtLocation(node);
  if (!named) return false;
  const symbol = named.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(named) : named;
  return symbol.declarations.some(({ path }) => /[/\\]@types[/\\]vscode[/\\]/.test(path));
}

function findUnder(config: string): readonly Found[] {
  const api = new API({ cwd: root });
  try {
    const project = api.updateSnapshot({ openProject: config }).getProject(config);
    assert.ok(project, config);
    const folder = dirname(config);
    return project.rootFiles.flatMap(name => {
      const file = project.program.getSourceFile(name);
      assert.ok(file, name);
      return findIn(file, project.checker).map(what => ({ file: relative(folder, name), what }));
    });
  } finally {
    api.close();
  }
}

test('[H124] nothing is shown to a person past the module that cleans it', () => {
  const found = findUnder(join(host, 'tsconfig.json'));
  const elsewhere = found.filter(({ file }) => dirname(file) !== 'notify');
  assert.deepEqual(elsewhere, []);
  const used = new Set(found.map(({ what }) => what));
  for (const name of ['showInformationMessage', 'withProgress', 'showInputBox', 'createQuickPick', '.tooltip ='])
    assert.ok(used.has(name), `${name} is found where it is meant to be`);
});

const planted: readonly (readonly [code: string, what: string])[] = [
  [`import { window } from 'vscode';\nvoid window.showInformationMessage('a');`, 'showInformationMessage'],
  [`import { window } from 'vscode';\nconst { showErrorMessage: tell } = window;\nvoid tell('a');`, 'showErrorMessage'],
  [`import { window } from 'vscode';\nvoid window['showWarningMessage']('a');`, 'showWarningMessage'],
  [`import { window } from 'vscode';\nconst other = window;\nvoid other;`, 'window as a value'],
  [`import { window } from 'vscode';\nconst name = 'x';\nvoid window[name as 'state'];`, 'window as a value'],
  [`import { window as other } from 'vscode';\nvoid other.state;`, 'window by another name'],
  [`import * as all from 'vscode';\nvoid all.env;`, 'vscode as a whole'],
  [`void import('vscode');`, 'a late import of vscode'],
  [`import { TreeItem as Row } from 'vscode';\nvoid new Row('a');`, 'TreeItem'],
  [`import { MarkdownString } from 'vscode';\nvoid new MarkdownString('a');`, 'MarkdownString'],
  [`import type { TreeItem } from 'vscode';\nexport const set = (row: TreeItem) => (row.tooltip = 'a');`, '.tooltip ='],
  [`import type { TreeView } from 'vscode';\nexport const set = (v: TreeView<1>) => (v.message = 'a');`, '.message ='],
  [`import type { WebviewPanel } from 'vscode';\nexport const set = (p: WebviewPanel) => (p.title = 'a');`, '.title ='],
  [`import { commands } from 'vscode';\nvoid commands.executeCommand('vscode.diff');`, 'vscode.diff'],
  [`import { window } from 'vscode';\nvoid window.withProgress({ location: 1 }, async () => {});`, 'withProgress'],
];

let folder = '';
before(() => {
  mkdirSync(join(root, 'out'), { recursive: true });
  folder = mkdtempSync(join(root, 'out/planted-notify-'));
  const options = { types: ['vscode'], noEmit: true, composite: false };
  const config = { extends: '../../src/tsconfig.base.json', compilerOptions: options, include: ['*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  for (const [at, [code]] of planted.entries()) writeFileSync(join(folder, `${at}.ts`), `${code}\nexport {};\n`);
  const harmless = `import { window, type TreeItem } from 'vscode';\nexport const row = (item: TreeItem) => item.label;\nconst own = { title: '' };\nown.title = 'window';\nvoid window.state;\n`;
  writeFileSync(join(folder, 'harmless.ts'), harmless);
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('[H124] every way past the module is found, and nothing else', () => {
  const found = findUnder(join(folder, 'tsconfig.json')).map(({ file, what }) => ({ at: basename(file, '.ts'), what }));
  for (const [at, [code, what]] of planted.entries())
    assert.ok(
      found.some(one => one.at === String(at) && one.what === what),
      `${code}\n${JSON.stringify(found)}`,
    );
  assert.deepEqual(
    found.filter(({ at }) => at === 'harmless'),
    [],
  );
});
