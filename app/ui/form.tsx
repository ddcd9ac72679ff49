import type { ComponentProps, KeyboardEvent, SubmitEvent } from 'react';

interface FormProps extends Omit<ComponentProps<'form'>, 'noValidate' | 'onSubmit'> {
  /** Result of react-hook-form's `handleSubmit`, or what does the same. */
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => Promise<void>;
  /** True when Ctrl or Cmd with S in one of its fields saves it, as in the editors. */
  savesByKeyboard?: boolean;
}

/** A form with our own messages. Of the browser's checks one remains: a minlength, which the browser reports itself. */
export function Form({ onSubmit, savesByKeyboard, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      // Until React hears it, the browser does nothing with the fields: it would put them into the address.
      method="dialog"
      noValidate
      onKeyDown={savesByKeyboard ? saveByKeyboard : undefined}
      onSubmit={(event) => {
        if (reportShortInput(event.currentTarget)) event.preventDefault();
        else void onSubmit(event);
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

/** Shows the browser's message at the first input that is shorter than its minlength; false when there is none. */
function reportShortInput(form: HTMLFormElement): boolean {
  const short = [...form.querySelectorAll<HTMLInputElement>('input[minlength]')].find(
    ({ validity }) => validity.tooShort,
  );
  short?.reportValidity();
  return short !== undefined;
}
