// Buttons that open a place of a file in the editor. Promises: a place is named by where it stands in the conversation; the
// host looks up which file that is, and whether it may be opened.

import type { Location, MessageId } from '../../model/message.ts';
import { cleanLine } from '../transcript/cleanText.ts';
import { icon } from '../icons.ts';
import { usePanel } from '../panel.ts';

/** Where a block stands; every part of a message that can be asked about is handed one. */
export interface BlockAt {
  readonly message: MessageId;
  readonly at: number;
}

export interface OpenPlaceProps extends BlockAt {
  readonly location: number;
  /** What is opened, as `main.ts:12`. */
  readonly words: string;
  readonly title: string;
  /** A word of a list, else a quiet button at the end of a line. */
  readonly asWords?: boolean;
}

export function OpenPlace({ message, at, location, words, title, asWords = false }: OpenPlaceProps) {
  const { store, post } = usePanel();
  const open = () => {
    const session = store.part('session').peek() ?? '';
    post({ type: 'openLocation', session, message, block: at, location });
  };
  const name = `Open ${words}`;
  return (
    <button
      type="button"
      class={asWords ? 'placeWords' : 'iconButton openPlace'}
      aria-label={name}
      title={asWords ? title : `Open ${title}`}
      onClick={open}
    >
      {asWords ? words : icon('file')}
    </button>
  );
}

/** All that a tool call touched, one under the other. */
export function Places({ message, at, locations }: BlockAt & { readonly locations: readonly Location[] }) {
  return (
    <ul class="placeList" aria-label="Files">
      {locations.map((location, index) => (
        <li key={index}>
          <OpenPlace
            message={message}
            at={at}
            location={index}
            words={placeWords(location)}
            title={placeTitle(location)}
            asWords
          />
        </li>
      ))}
    </ul>
  );
}

export function placeWords({ path, line }: Location): string {
  const name =
    cleanLine(path)
      .split(/[\\/]/)
      .findLast(part => part !== '') ?? '';
  return line === undefined ? name : `${name}:${line}`;
}

export function placeTitle({ path, line }: Location): string {
  return line === undefined ? cleanLine(path) : `${cleanLine(path)}:${line}`;
}
