import { useState } from 'react';

/**
 * One call at a time and what came of it, for parts that also stand where there is no query cache. The last result stays
 * while the next is awaited.
 */
export function useTask<Input, Result>(work: (input: Input) => Promise<Result>) {
  const [state, setState] = useState<{ data?: Result; error?: unknown; isPending: boolean }>({ isPending: false });
  return {
    ...state,
    /** @throws what the work throws, which `error` has too */
    async run(input: Input): Promise<Result> {
      setState(({ data }) => ({ ...(data !== undefined && { data }), isPending: true }));
      try {
        const data = await work(input);
        setState({ data, isPending: false });
        return data;
      } catch (error) {
        setState(({ data }) => ({ ...(data !== undefined && { data }), error, isPending: false }));
        throw error;
      }
    },
    reset: () => setState({ isPending: false }),
  };
}
