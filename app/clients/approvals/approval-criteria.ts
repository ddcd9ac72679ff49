/** Approvals of criteria for meetings. */
import { mutationOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import { KEY, textApprovalSchema } from './approvals.ts';
import type { Criteria } from './criteria.ts';

/**
 * Schema of an optional whole number in a text field. An empty text becomes null.
 * @param label subject of the error message, such as 'Duration'
 */
export function optionalNumber(label: string, maximum: number) {
  const message = `${label} must be a whole number from 1 to ${maximum.toLocaleString('en-GB')}`;
  return z
    .string()
    .trim()
    .refine((text) => text === '' || (/^\d{1,8}$/.test(text) && Number(text) >= 1 && Number(text) <= maximum), message)
    .transform((text) => (text === '' ? null : Number(text)));
}

export const MAX_SIZE = 10_000_000;
export const MAX_MINUTES = 1440;

export const criteriaApprovalSchema = textApprovalSchema
  .pick({ title: true, due_on: true })
  .extend({
    /** One role per line. */
    roles: z
      .string()
      .transform((text) => [...new Set(text.split('\n').map((line) => line.trim()))].filter(Boolean))
      .refine((roles) => roles.length <= 50, 'Enter at most 50 roles')
      .refine((roles) => roles.every((role) => role.length <= 200), 'A role must be at most 200 characters'),
    minimum_size: optionalNumber('Size', MAX_SIZE),
    maximum_size: optionalNumber('Size', MAX_SIZE),
    countries: z.array(z.string()),
    excludes_customers: z.boolean(),
    minimum_minutes: optionalNumber('Duration', MAX_MINUTES),
  })
  // Invalid numbers are still strings.
  .refine(
    ({ minimum_size: minimum, maximum_size: maximum }) =>
      !isNumber(minimum) || !isNumber(maximum) || minimum <= maximum,
    {
      path: ['maximum_size'],
      message: 'The maximum must not be below the minimum',
    },
  );

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

interface CriteriaApprovalInput extends Criteria {
  clientId: string;
  /** Approval that receives a new version. Undefined for a new approval. */
  id: string | undefined;
  title: string;
  /** YYYY-MM-DD, or empty. */
  due_on: string;
}

export const requestCriteriaApprovalMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, id, title, due_on, ...criteria }: CriteriaApprovalInput) =>
    api.rpc('ask_for_criteria_approval', {
      _client_id: clientId,
      _title: title,
      _criteria: { ...criteria },
      ...(due_on !== '' && { _due_on: due_on }),
      ...(id !== undefined && { _approval_id: id }),
    }),
  ),
  ...reloadOnSettled(KEY),
});
