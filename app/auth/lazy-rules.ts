import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form';
import type { z } from 'zod';

/**
 * Makes a resolver of a schema that loads when it is first asked, or with `preload`, at the first touch of a field. Where that fails,
 * `first` says so and the form can be sent again.
 */
export function lazyRules<Input extends FieldValues, Output extends FieldValues>(
  first: keyof Input & string,
  schemaOf: (rules: typeof import('../data/accounts/credentials.ts')) => z.ZodType<Output, Input>,
): Resolver<Input, unknown, Output> {
  return async (values, context, options) => {
    const code = await load().catch(() => null);
    if (!code) {
      const errors: FieldErrors<Input> = {};
      return {
        values: {},
        errors: Object.assign(errors, { [first]: { type: 'load', message: 'Please try again later.' } }),
      };
    }
    const [{ zodResolver }, rules] = code;
    return zodResolver(schemaOf(rules))(values, context, options);
  };
}

const load = () => Promise.all([import('@hookform/resolvers/zod'), import('../data/accounts/credentials.ts')]);

/** Begins to load the rules; sending tries again, and tells. */
export function preloadRules(): void {
  load().catch(() => undefined);
}
