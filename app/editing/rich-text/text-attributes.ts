import type { useFieldProps } from '../../ui/field.tsx';

/** Returns the HTML attributes of an editable text. Its label and error are in the surrounding field. */
export function textAttributes(title: string, fieldProps: ReturnType<typeof useFieldProps>): Record<string, string> {
  const attributes = { ...fieldProps, role: 'textbox', 'aria-multiline': true, 'aria-label': title };
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
