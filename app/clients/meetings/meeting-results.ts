/** Results of held meetings, reported by the client or our team. The latest report counts. */
import { mutationOptions } from '@tanstack/react-query';
import { changeAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import { HOME_KEY } from '../client-home.ts';
import { LEADS_KEY } from '../leads/leads.ts';
import { MEETINGS_KEY, type Meeting } from './meetings.ts';
import { type NewReport, reportArguments } from './result-form.ts';

interface ReportInput extends NewReport {
  clientId: string;
  /** Meeting shown to the user. */
  meeting: Pick<Meeting, 'id' | 'details'>;
}

export const reportResultMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, meeting, ...report }: ReportInput) =>
    api.rpc('report_meeting_result', {
      _client_id: clientId,
      _meeting_id: meeting.id,
      _expected_number: meeting.details.result.reports[0]?.number ?? 0,
      ...reportArguments(report),
    }),
  ),
  ...reloadOnSettled(MEETINGS_KEY, HOME_KEY, LEADS_KEY),
});
