import type { ComponentProps, SubmitEvent } from 'react';

interface FormProps extends Omit<ComponentProps<'form'>, 'noValidate' | 'onSubmit'> {
  /** What react-hook-form's `handleSubmit` returns. */
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => Promise<void>;
}

/** A form with our own messages. Of the browser's checks one remains: a minlength, which the browser reports itself. */
export function Form({ onSubmit, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      noValidate
      onSubmit={(event) => {
        if (reportShortInput(event.currentTarget)) event.preventDefault();
        else void onSubmit(event);
      }}
    />
  );
}

/** Shows the browser's message at the first input that is shorter than its minlength; false when there is none. */
function reportShortInput(form: HTMLFormElement): boolean {
  const short = [...form.querySelectorAll<HTMLInputElement>('input[minlength]')].find(
    ({ validity }) => validity.tooShort,
  );
  short?.reportValidity();
  return short !== undefined;
}
