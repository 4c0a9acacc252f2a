// "Always allow", as a rule of this workspace's: one agent, one kind of thing, and where a kind says too little, exactly
// this one. Promises: a rule never allows more than its words say; nothing that cannot be told apart gets one; a command
// is allowed only as it stands, letter for letter. Where rules are kept, listed and taken back is the host's matter.

import { alwaysByRule, type Permission, type PermissionChoice } from '../../model/agentState.ts';
import type { Json } from '../../model/message.ts';

export interface AllowRule {
  /** The agent's id. */
  readonly agent: string;
  /** ACP's kind of tool. */
  readonly tool: string;
  /** The one command that is meant; null allows all of the kind. */
  readonly command: string | null;
  /** What follows on "Always". */
  readonly words: string;
}

export interface AllowRules {
  /** Of this workspace, as they are now. */
  readonly all: () => readonly AllowRule[];
  readonly add: (rule: AllowRule) => void;
}

export const noRules: AllowRules = { all: () => [], add() {} };

/** What is kept counts here too; what is added counts here and is kept nowhere. */
export function unkeptRules(kept: AllowRules): AllowRules {
  const own: AllowRule[] = [];
  return { all: () => [...kept.all(), ...own], add: rule => void own.push(rule) };
}

/** Kinds of which every use is alike to the person; what deletes, or does anything at all, is asked each time. */
const alike: { readonly [tool: string]: string } = {
  read: 'allow reading files',
  search: 'allow searching',
  edit: 'allow editing files',
  move: 'allow moving files',
  fetch: 'allow fetching from the network',
  think: 'allow thinking',
};

/** The rule that "always" would make of this question; null where there is none. */
export function ruleFor(agent: string, { tool, input, choices, why }: Permission): AllowRule | null {
  if (!allowOnce(choices) || why !== undefined) return null;
  const words = Object.hasOwn(alike, tool) ? alike[tool] : undefined;
  if (words !== undefined) return { agent, tool, command: null, words };
  const command = tool === 'execute' ? commandOf(input) : null;
  return command === null ? null : { agent, tool, command, words: `allow “${command}”` };
}

export function isSameRule(one: AllowRule, other: AllowRule): boolean {
  return one.agent === other.agent && one.tool === other.tool && one.command === other.command;
}

/** The agent's own choice that allows this one time. */
export function allowOnce(choices: readonly PermissionChoice[]): PermissionChoice | undefined {
  return choices.find(({ kind }) => kind === 'allow_once');
}

/** Our "always" is offered where the agent has none of its own, or has forgotten the one that the person chose. */
export function withRule(permission: Permission, rule: AllowRule | null, isForgotten: boolean): Permission {
  const remembers = permission.choices.some(({ kind }) => kind === 'allow_always');
  return rule === null || (remembers && !isForgotten) ? permission : { ...permission, rule: rule.words };
}

export function fits(permission: Permission, choice: string): boolean {
  return choice === alwaysByRule ? permission.rule !== undefined : permission.choices.some(({ id }) => id === choice);
}

/** The whole of what would be run and where, in one line; null where the agent does not say it so that it can be compared. */
function commandOf(input: Json | undefined): string | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  const { command, cwd, ...others } = input as { readonly [key: string]: Json };
  // What only describes may differ from time to time; anything else might change what is run.
  const meant = Object.keys(others).filter(key => !['description', 'timeout', 'title'].includes(key));
  if (meant.length > 0 || (cwd !== undefined && typeof cwd !== 'string')) return null;
  const isList = Array.isArray(command) && command.every(part => typeof part === 'string');
  const line = typeof command === 'string' ? command : isList && command.length > 0 ? JSON.stringify(command) : '';
  if (line === '') return null;
  return cwd === undefined ? line : `${line} (in ${cwd})`;
}
