// What VS Code knows of us by name, and asks for by that name: views, editors, kinds of documents, and the commands that no
// menu and no palette shows. The rest of the commands is in the manifest.

export const sessionsViewId = 'throughline.sessions';
export const chatViewId = 'throughline.chat';
export const chatPanelType = 'throughline.chatPanel';

/** Of documents that are made when somebody looks at them. */
export const schemes = {
  change: 'throughline-change',
  branch: 'throughline-branch',
  statistics: 'throughline-statistics',
  /** Nobody's file: shown once, not made again. */
  text: 'throughline-text',
  trace: 'throughline-trace',
  tool: 'throughline-tool',
} as const;

/** Not in the manifest: each makes sense in its own row only. */
export const showMoreCommand = 'throughline.showMoreSessions';
export const openTraceCommand = 'throughline.openTrace';

/** What commands do, by their whole names. VS Code gives each what its caller gave. */
export type CommandTable = { readonly [name: string]: (...given: never[]) => unknown };
