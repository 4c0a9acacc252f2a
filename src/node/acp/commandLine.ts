// What is needed to start a program: itself, its arguments, its environment, its folder. Promises: an environment is given
// whole, never completed behind somebody's back; what belongs to the editor is not passed on.

export interface CommandLine {
  /** A name on the PATH of `env`, or an absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Environment;
  readonly cwd: string;
}

export type Environment = { readonly [name: string]: string };

/**
 * The environment of a foreign program: ours without what makes a program think that it runs inside the editor, or a
 * child of Electron run as Node.js, and with what is set for it.
 */
export function environmentFor(base: { readonly [name: string]: string | undefined }, own: Environment): Environment {
  const kept = Object.entries(base).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !/^(ELECTRON_|VSCODE_|NODE_OPTIONS$)/i.test(entry[0]),
  );
  return { ...Object.fromEntries(kept), ...own };
}
