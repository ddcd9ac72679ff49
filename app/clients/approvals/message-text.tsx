import type { RefCallBack } from 'react-hook-form';
import { MergeText } from '../../editing/merge-text/merge-text.tsx';
import { Field } from '../../ui/field.tsx';

interface MessageTextProps {
  /** Controller of the form field. */
  field: { value: string; onChange: (text: string) => void; onBlur: () => void; ref: RefCallBack };
  error: string | undefined;
  /** True if the dialog focuses this field when it opens. */
  hasInitialFocus?: boolean;
}

/** Form field for the body of a message, with merge fields as chips. */
export function MessageText({ field, error, hasInitialFocus = false }: MessageTextProps) {
  return (
    <Field
      label="Text"
      required
      aside="Required"
      help="The text as it will be sent, with merge fields such as {{first_name}}."
      error={error}
    >
      <MergeText
        title="Text"
        value={field.value}
        onChange={field.onChange}
        onBlur={field.onBlur}
        inputRef={field.ref}
        hasInitialFocus={hasInitialFocus}
      />
    </Field>
  );
}
