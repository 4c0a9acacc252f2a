// What the scripted agent was started with, and how it refuses.

export type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value | undefined };
export type Params = { readonly [key: string]: Value | undefined };

export class Refusal extends Error {
  readonly code: number;
  readonly data: Value | undefined;

  constructor(code: number, message: string, data?: Value) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

const flags = process.argv.slice(2);
export const has = (flag: string) => flags.includes(`--${flag}`);
export const option = (name: string) => flags.find(flag => flag.startsWith(`--${name}=`))?.slice(name.length + 3);
/** The last one is no flag: it is not to be an agent now, but a command. */
export const command = flags.at(-1)?.startsWith('--') ? undefined : flags.at(-1);
export const word = (value: Value | undefined) => (typeof value === 'string' ? value : '');
export const home = process.env['SCRIPTED_HOME'];
export const log = process.env['SCRIPTED_LOG'];
