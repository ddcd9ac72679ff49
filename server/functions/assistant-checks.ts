import type { BackendContext } from '@signalfjord/backend';
import type { AiChat } from '../../supabase/functions/ai-chat/ai-chat.ts';

/** Editors save several things in a row; the checks run when this many milliseconds passed without a change. */
const QUIET_MS = 2000;

export interface AssistantChecks {
  /** Runs them soon, because content changed. */
  schedule(): void;
  /** Waits for a run under way; nothing runs afterwards. */
  close(): Promise<void>;
}

/**
 * Runs the test box of the assistant after changes of content. Each copy of the process does; what they write is the same.
 */
export function createAssistantChecks({ log }: Pick<BackendContext, 'log'>, chat: AiChat): AssistantChecks {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  function run() {
    running = running.then(async () => {
      try {
        const { checked, failed } = await chat.runChecks();
        if (failed > 0) log.warn({ checked, failed }, 'Saved test questions of the assistant failed');
      } catch (error) {
        log.error(error, 'The saved test questions of the assistant could not be run');
      }
    });
  }

  return {
    schedule() {
      clearTimeout(timer);
      timer = setTimeout(run, QUIET_MS);
      timer.unref();
    },
    async close() {
      clearTimeout(timer);
      await running;
    },
  };
}
