// The bar that finds in the conversation. Promises: it is there with Ctrl+F (on a Mac with Cmd+F) and gone with Escape,
// which gives the focus back; what finds is fetched when it is first needed.

import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Finder } from './find.ts';
import { icon, type IconName } from '../icons.ts';
import type { Moves } from '../transcript/moves.ts';
import { usePanel } from '../panel.ts';
import { wordTools } from '../transcript/wordTools.ts';

const saidAfter = 600;
const longestSelection = 200;
const isMac = navigator.platform.startsWith('Mac');

export interface FindBarProps {
  readonly scroller: { readonly current: HTMLElement | null };
  readonly reveal: Moves['reveal'];
  /** From now on all of the conversation is read. */
  readonly onOpen: () => void;
}

export function FindBar({ scroller, reveal, onOpen }: FindBarProps) {
  const { store, lexer, said, findWanted } = usePanel();
  const isOpen = useSignal(false);
  const words = useSignal('');
  const query = useRef('');
  const box = useRef<HTMLInputElement>(null);
  const finder = useRef<Finder>(null);
  const came = useRef<Element>(null);
  const session = store.part('session').value;

  const open = () => {
    const selected = getSelection()?.toString().trim() ?? '';
    const isFit = selected !== '' && selected.length <= longestSelection && !selected.includes('\n');
    if (isFit && !isWriting(document.activeElement)) query.current = selected;
    if (!isOpen.peek()) came.current = document.activeElement;
    isOpen.value = true;
  };
  const close = () => {
    isOpen.value = false;
    if (came.current instanceof HTMLElement && came.current.isConnected) came.current.focus({ preventScroll: true });
    else scroller.current?.focus({ preventScroll: true });
  };
  const step = (by: 1 | -1) => finder.current?.step(by);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isBusy = event.isComposing || event.altKey;
      const isFind = event.key.toLowerCase() === 'f' && (isMac ? event.metaKey : event.ctrlKey) && !event.shiftKey;
      if (!isBusy && isFind) {
        ours(event);
        open();
        box.current?.select();
      } else if (!isBusy && event.key === 'F3') {
        ours(event);
        if (isOpen.peek()) step(event.shiftKey ? -1 : 1);
        else open();
      } else if (event.key === 'Escape' && isOpen.peek() && isOf(event.target, '.conversation')) {
        ours(event);
        close();
      }
    };
    // VS Code listens at the window, and an editor beside would find as well.
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  const wanted = findWanted.value;
  const before = useRef(wanted);
  useEffect(() => {
    if (wanted !== before.current) open();
    before.current = wanted;
    box.current?.focus();
  }, [wanted]);

  // Another conversation is not what was searched; not later, or it would close what was opened for the new one.
  useLayoutEffect(() => void (isOpen.value = false), [session]);

  // At once, so that what is typed after the key lands here.
  useLayoutEffect(() => {
    box.current?.focus();
    box.current?.select();
  }, [isOpen.value]);

  useEffect(() => {
    if (!isOpen.value) return undefined;
    onOpen();
    const ended = new AbortController();
    let saying: ReturnType<typeof setTimeout> | undefined;
    import('./find.ts').then(
      ({ createFinder, foundWords }) => {
        if (ended.signal.aborted || !scroller.current) return;
        const made = createFinder({
          tools: { ...wordTools, lexer: () => lexer.peek() },
          messages: () => store.part('messages').peek() ?? [],
          scroller: scroller.current,
          reveal,
          changed(found) {
            if (words.peek() === foundWords(found)) return;
            words.value = foundWords(found);
            clearTimeout(saying);
            saying = setTimeout(() => void (said.value = words.peek()), saidAfter);
          },
        });
        finder.current = made;
        made.seek(query.current);
        const stop = store.part('messages').subscribe(() => made.reread());
        ended.signal.addEventListener('abort', () => {
          stop();
          made.close();
        });
      },
      (cause: unknown) => {
        console.error('What finds in the conversation could not be loaded.', cause);
        words.value = 'Not available';
      },
    );
    return () => {
      ended.abort();
      clearTimeout(saying);
      finder.current = null;
      words.value = '';
    };
  }, [isOpen.value]);

  if (!isOpen.value) return null;
  const none = words.value === 'No results';
  return (
    <div class="find" role="search" aria-label="Find in conversation">
      <input
        ref={box}
        class={none ? 'none' : undefined}
        type="text"
        aria-label="Find"
        placeholder="Find"
        spellcheck={false}
        value={query.current}
        onInput={event => {
          query.current = event.currentTarget.value;
          finder.current?.seek(query.current);
        }}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.isComposing || event.keyCode === 229) return;
          event.preventDefault();
          step(event.shiftKey ? -1 : 1);
        }}
      />
      <span class={none ? 'findCount none' : 'findCount'}>{words.value}</span>
      <FindButton name="Previous match" keys="Shift+Enter" look="above" press={() => step(-1)} />
      <FindButton name="Next match" keys="Enter" look="below" press={() => step(1)} />
      <FindButton name="Close" keys="Escape" look="fail" press={close} />
    </div>
  );
}

interface FindButtonProps {
  readonly name: string;
  readonly keys: string;
  readonly look: IconName;
  readonly press: () => void;
}

function FindButton({ name, keys, look, press }: FindButtonProps) {
  return (
    <button type="button" class="iconButton" aria-label={name} title={`${name} (${keys})`} onClick={press}>
      {icon(look)}
    </button>
  );
}

function ours(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

function isWriting(element: Element | null): boolean {
  return element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement;
}

function isOf(target: EventTarget | null, part: string): boolean {
  return target instanceof Element && target.closest(part) !== null;
}
