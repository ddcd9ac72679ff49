/** Code that the forms of /auth need once somebody types: the rules, zod with them, and the calls. Loads with the first touch of a field. */
import type { z } from 'zod';
import { tellFailure } from '../../ui/show-error.ts';
import { authFailure } from './auth-failure.ts';

export { messageOf } from '../../ui/show-error.ts';
export {
  changePassword,
  requestMagicLink,
  requestPasswordReset,
  signIn,
  signUp,
} from '../authentication.ts';
export { credentialsSchema, emailSchema, newPasswordSchema, signUpSchema } from '../credentials.ts';

/** Messages by the names of the fields, in the order of the schema. */
export type FieldMessages = Partial<Record<string, string>>;

type Read<Values> = { values: Values; messages?: never } | { values?: never; messages: FieldMessages };

/** Reads the fields of a form by a schema; of each field that it refuses, the first message. */
export function readFields<Values>(form: HTMLFormElement, schema: z.ZodType<Values>): Read<Values> {
  const read = schema.safeParse(Object.fromEntries(new FormData(form)));
  if (read.success) return { values: read.data };
  const messages: FieldMessages = {};
  for (const { path, message } of read.error.issues) messages[String(path[0])] ??= message;
  return { messages };
}

/** Tells in a toast what the server refused, or that something broke. */
export function tellRefusal(sentence: string, error: unknown): void {
  tellFailure(authFailure(sentence, error), error);
}
