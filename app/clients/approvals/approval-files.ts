/** Approvals of files. */
import { mutationOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import { listApprovalSchema } from './approval-lists.ts';
import { KEY } from './approvals.ts';

export const fileApprovalSchema = listApprovalSchema.extend({
  text: z.string().trim().min(1, 'A description is required').max(2000, 'Write at most 2,000 characters'),
  file_id: z.string().min(1, 'A file is required'),
});

interface FileApprovalInput extends z.output<typeof fileApprovalSchema> {
  clientId: string;
  /** Approval that receives a new version. Undefined for a new approval. */
  id: string | undefined;
}

export const requestFileApprovalMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, id, title, text, file_id, due_on }: FileApprovalInput) =>
    api.rpc('ask_for_file_approval', {
      _client_id: clientId,
      _title: title,
      _text: text,
      _file_id: file_id,
      ...(due_on !== '' && { _due_on: due_on }),
      ...(id !== undefined && { _approval_id: id }),
    }),
  ),
  ...reloadOnSettled(KEY),
});
