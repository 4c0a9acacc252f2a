// What a tool is: what the model is offered, how a use of it is shown, and what it does. Promises of whoever implements one:
// it reaches the world through the client and the lookup that it is given, and what the model gets of it is bounded, with a
// word on what was left out.

import type { ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';
import type { Json } from '../../model/message.ts';
import type { Client } from '../client.ts';
import type { OfferedTool } from '../loop/model.ts';
import type { Place } from './place.ts';

export interface Tool extends OfferedTool {
  /** It changes something, or may: a restricted workspace has it not. */
  readonly changes: boolean;
  /** It is of use where no folder is open, too. */
  readonly anywhere?: true;
  /** What must be there, as text. */
  readonly required: readonly string[];
  readonly show: (input: ToolInput, place: Place) => Shown;
  /** Throws ToolTrouble, or what the client refused with. */
  readonly use: (input: ToolInput, use: ToolUsing) => Promise<Outcome>;
}

export type ToolInput = { readonly [field: string]: Json };

export interface Shown {
  readonly title: string;
  readonly kind: ToolKind;
  readonly locations?: ToolCallLocation[];
  readonly content?: ToolCallContent[];
  /** As the person is asked about it, where that is not the input itself. */
  readonly input?: Json;
}

export interface ToolUsing {
  readonly place: Place;
  readonly client: Client;
  /** Shows this of the call; a list replaces the whole list. */
  readonly update: (shown: Partial<Pick<Shown, 'locations' | 'content'>>) => Promise<void>;
  /** Whether the person allows it; what is shown with the question stays with the call. */
  readonly ask: (shown?: Partial<Pick<Shown, 'locations' | 'content'>>) => Promise<boolean>;
}

export interface Outcome {
  /** What the model is told. */
  readonly text: string;
  readonly data?: unknown;
  /** Where it is not the text itself that is shown. */
  readonly content?: ToolCallContent[];
  readonly locations?: ToolCallLocation[];
  readonly failed?: boolean;
}

/** What the model is told instead of a result: what is wrong, and what to do about it. */
export class ToolTrouble extends Error {
  override readonly name = 'ToolTrouble';
}

export const notAllowed = 'The person did not allow this. Do not try it again in another way; ask them what they want.';

/** A schema of fields that are all described. */
export function objectOf(
  properties: { readonly [field: string]: { readonly [key: string]: Json } },
  required: readonly string[],
): OfferedTool['input'] {
  return { type: 'object', properties, required, additionalProperties: false };
}

export function textIn(input: ToolInput, field: string): string {
  const value = input[field];
  return typeof value === 'string' ? value : '';
}

export function countIn(input: ToolInput, field: string): number | null {
  const value = input[field];
  const count = typeof value === 'string' ? Number(value) : value;
  return typeof count === 'number' && Number.isInteger(count) && count > 0 ? count : null;
}

export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}
