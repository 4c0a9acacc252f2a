// A question of an agent that is no permission, from the wire. Read by hand: the SDK would refuse a whole form for one
// field that it does not know. Promises: nothing here throws; no address but one of the web, without credentials in it,
// comes out of here.

import type { Elicitation } from '../../model/agentState.ts';
import { fieldsOf, textOf, type Fields } from './fields.ts';
import { formFieldsOf, words } from './formFields.ts';

export interface ElicitationRequest {
  /** Null where it is about the agent as a whole, as while a person signs in. */
  readonly sessionId: string | null;
  /** The agent's own, with which it says that what was to be done at the address is done. */
  readonly elicitationId: string | null;
  readonly message: string;
  /** Null for what is not to be shown to anybody. */
  readonly asks: Elicitation['asks'] | null;
}

export function elicitationRequestOf(params: unknown): ElicitationRequest {
  const fields = fieldsOf(params) ?? {};
  const { sessionId, elicitationId, message, mode } = fields;
  return {
    sessionId: textOf(sessionId) ?? null,
    elicitationId: mode === 'url' ? (textOf(elicitationId) ?? null) : null,
    message: words(message),
    asks: mode === 'url' ? addressIn(fields) : mode === 'form' || mode === undefined ? formIn(fields) : null,
  };
}

function formIn({ requestedSchema }: Fields): Elicitation['asks'] {
  return { kind: 'form', fields: formFieldsOf(requestedSchema) };
}

function addressIn({ url }: Fields): Elicitation['asks'] | null {
  if (typeof url !== 'string' || !URL.canParse(url)) return null;
  const { protocol, username, password, host, href } = new URL(url);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && username === '' && password === '' ? { kind: 'url', url: href, host } : null;
}
