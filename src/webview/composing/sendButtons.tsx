// Sends, and stops what runs.

import { icon } from '../icons.ts';

export interface SendButtonsProps {
  readonly isRunning: boolean;
  readonly isStopping: boolean;
  readonly canSend: boolean;
  /** The key that does the same. */
  readonly sendKey: string;
  readonly send: () => void;
  readonly stop: () => void;
}

export function SendButtons({ isRunning, isStopping, canSend, sendKey, send, stop }: SendButtonsProps) {
  return (
    <>
      {isRunning && (
        <button
          key="stop"
          type="button"
          class="send stop"
          aria-label="Stop"
          title="Stop"
          disabled={isStopping}
          onClick={stop}
        >
          {icon('stop')}
        </button>
      )}
      <button
        key="send"
        type="button"
        class="send"
        aria-label="Send"
        title={isRunning ? `Send after this answer (${sendKey})` : `Send (${sendKey})`}
        disabled={!canSend}
        onClick={send}
      >
        {icon('send')}
      </button>
    </>
  );
}
