import { useState } from 'react';

/**
 * Runs one async call at a time, for components without a query cache. Keeps the last result while the next call is
 * running.
 */
export function useTask<Input, Result>(task: (input: Input) => Promise<Result>) {
  const [state, setState] = useState<{ data?: Result; error?: unknown; isPending: boolean }>({ isPending: false });
  return {
    ...state,
    /** @throws the error of the call, which `error` also contains */
    async run(input: Input): Promise<Result> {
      setState(({ data }) => ({ ...(data !== undefined && { data }), isPending: true }));
      try {
        const data = await task(input);
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
