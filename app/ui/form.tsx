import type { ComponentProps, KeyboardEvent, SubmitEvent } from 'react';

interface FormProps extends Omit<ComponentProps<'form'>, 'noValidate' | 'onSubmit'> {
  /** `handleSubmit` of react-hook-form, or an equivalent. */
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => Promise<void>;
  /** Saves with Ctrl+S or Cmd+S while a field has focus. */
  savesByKeyboard?: boolean;
}

/** Form with custom validation messages. */
export function Form({ onSubmit, savesByKeyboard, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      // Before hydration, the default method would put the fields into the URL.
      method="dialog"
      noValidate
      onKeyDown={savesByKeyboard ? saveByKeyboard : undefined}
      onSubmit={(event) => {
        void onSubmit(event);
      }}
    />
  );
}

/** Clicks the submit button, which ignores clicks while busy. Outer forms ignore the handled event. */
function saveByKeyboard(event: KeyboardEvent<HTMLFormElement>): void {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's' || event.defaultPrevented) return;
  event.preventDefault();
  const button = [...event.currentTarget.elements].find(
    (element) => element instanceof HTMLButtonElement && element.type === 'submit',
  );
  if (button instanceof HTMLButtonElement) button.click();
}
