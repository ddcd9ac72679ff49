import type { ComponentProps, KeyboardEvent, SubmitEvent } from 'react';

interface FormProps extends Omit<ComponentProps<'form'>, 'noValidate' | 'onSubmit'> {
  /** Result of react-hook-form's `handleSubmit`, or what does the same. */
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => Promise<void>;
  /** True when Ctrl or Cmd with S in one of its fields saves it, as in the editors. */
  savesByKeyboard?: boolean;
}

/** A form with our own messages instead of the browser's. */
export function Form({ onSubmit, savesByKeyboard, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      // Until React hears it, the browser does nothing with the fields: it would put them into the address.
      method="dialog"
      noValidate
      onKeyDown={savesByKeyboard ? saveByKeyboard : undefined}
      onSubmit={(event) => {
        void onSubmit(event);
      }}
    />
  );
}

/** Presses the form's button, which ignores that while it is busy. No form around this one hears of the keys. */
function saveByKeyboard(event: KeyboardEvent<HTMLFormElement>): void {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's' || event.defaultPrevented) return;
  event.preventDefault();
  const button = [...event.currentTarget.elements].find(
    (element) => element instanceof HTMLButtonElement && element.type === 'submit',
  );
  if (button instanceof HTMLButtonElement) button.click();
}
