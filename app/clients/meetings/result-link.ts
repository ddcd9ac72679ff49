/** Results of meetings reported through an email link, without a session. */
import { mutationOptions } from '@tanstack/react-query';
import { publicApi } from '../../api/visitor-api.ts';
import { browserSecret } from '../browser-secret.ts';
import { linkedItemQuery } from '../linked-item.ts';
import type { reportArguments } from './result-form.ts';

const KEY = ['result-link'];

export function linkedMeetingQuery(token: string) {
  return linkedItemQuery({
    queryKey: KEY,
    token,
    open: 'open_result_link',
    read: async (response) => (await import('./linked-meeting.ts')).readLinkedMeeting(response),
  });
}

interface LinkReport {
  token: string;
  /** Number of the latest report that was shown to the user, or 0. */
  lastSeenNumber: number;
  report: ReturnType<typeof reportArguments>;
}

/**
 * Reports the result of the meeting.
 * @returns the reason for a failure, or null
 */
export const reportByLinkMutation = mutationOptions({
  mutationFn: async ({ token, lastSeenNumber, report }: LinkReport): Promise<string | null> => {
    const args = { _token: token, _holder: browserSecret(), _expected_number: lastSeenNumber, ...report };
    return (await (await publicApi()).rpc('report_result_by_link', args).throwOnError()).data;
  },
  onSettled: (_data, _error, _variables, _result, { client }) => client.invalidateQueries({ queryKey: KEY }),
});
