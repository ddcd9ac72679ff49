/** Validation and requests for the forms on /auth. Loaded when a field is first focused. */
import type { z } from 'zod';
import { errorCode } from '../../api/error-code.ts';
import { messageOf, showError } from '../../ui/show-error.ts';
import { authErrorTitle } from './auth-error-title.ts';

export {
  changePassword,
  requestMagicLink,
  requestPasswordReset,
  signIn,
  signUp,
} from '../authentication.ts';
export { credentialsSchema, emailSchema, newPasswordSchema, signUpSchema } from '../credentials.ts';

/** Error messages by field name, in schema order. */
export type FieldMessages = Partial<Record<string, string>>;

type FieldsResult<Values> = { values: Values; messages?: never } | { values?: never; messages: FieldMessages };

/** Validates the fields of a form. Returns the first message of each invalid field. */
export function readFields<Values>(form: HTMLFormElement, schema: z.ZodType<Values>): FieldsResult<Values> {
  const parsed = schema.safeParse(Object.fromEntries(new FormData(form)));
  if (parsed.success) return { values: parsed.data };
  const messages: FieldMessages = {};
  for (const { path, message } of parsed.error.issues) messages[String(path[0])] ??= message;
  return { messages };
}

/** Returns the error message for a field. Unlike the toast, it explains what to do about a wrong password. */
export function getFieldMessage(error: unknown): string {
  return errorCode(error) === 'invalid_credentials'
    ? 'Wrong email or password. To choose a new password, select “Forgot password?”.'
    : messageOf(error);
}

/** Shows a toast with the server's message or a general error. */
export function showAuthError(title: string, error: unknown): void {
  showError(authErrorTitle(title, error), error);
}
