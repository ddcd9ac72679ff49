import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Input } from '../../ui/input.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { type MediaFile, setMediaAltMutation } from '../media.ts';

const schema = z.object({ alt: z.string().max(1000, 'Alt text must be at most 1000 characters') });

/** Renders the alt text form of a picture. */
export function AltForm({ file }: { file: MediaFile }) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(schema),
    defaultValues: { alt: file.alt },
  });
  const save = useMutationWithToasts(setMediaAltMutation, {
    success: 'Alt text saved',
    failure: 'Could not save alt text',
  });
  return (
    <Form savesByKeyboard onSubmit={handleSubmit(({ alt }) => save.mutate({ name: file.name, alt }))}>
      <Field
        label="Alt text"
        help="Describes the picture for people who cannot see it."
        error={formState.errors.alt?.message}
      >
        <div className="flex gap-2">
          <Input {...register('alt')} />
          <Button type="submit" variant="secondary" loading={save.isPending}>
            Save
          </Button>
        </div>
      </Field>
    </Form>
  );
}
