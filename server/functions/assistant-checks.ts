import type { BackendContext } from '@signalfjord/backend';
import type { AiChat } from '../../supabase/functions/ai-chat/ai-chat.ts';

/** Debounce in ms: editors often save several changes in a row. */
const DEBOUNCE_MS = 2000;

export interface AssistantChecks {
  /** Schedules a run after a content change. */
  schedule(): void;
  /** Waits for the current run and prevents further runs. */
  close(): Promise<void>;
}

/**
 * Runs the saved test questions of the assistant after content changes. If there are several processes, each runs
 * all questions and writes the same results.
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
      timer = setTimeout(run, DEBOUNCE_MS);
      timer.unref();
    },
    async close() {
      clearTimeout(timer);
      await running;
    },
  };
}
