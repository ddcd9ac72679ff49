import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { Form } from '../../ui/form.tsx';
import { Input } from '../../ui/input.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { changeName } from '../authentication.ts';
import type { Account } from '../session.ts';
import { AccountSection } from './account-section.tsx';

const schema = z.object({ name: z.string().trim().max(100, 'Name must be at most 100 characters') });

export function NameForm({ account }: { account: Account }) {
  const { register, handleSubmit, reset, formState } = useForm({
    resolver: zodResolver(schema),
    defaultValues: { name: account.name },
  });
  const saveName = useMutationWithToasts(
    { mutationFn: changeName },
    { success: 'Name saved', failure: 'Could not save the name' },
  );

  return (
    <AccountSection title="Name" description="Shown here and used in emails.">
      <Form
        onSubmit={handleSubmit(
          ({ name }) => saveName.mutate(name, { onSuccess: () => reset({ name }, { keepValues: true }) }),
          showFirstError,
        )}
        className="grid grid-cols-1 gap-4"
      >
        <Field label="Full name" labelHidden error={formState.errors.name?.message}>
          <Input autoComplete="name" {...register('name')} />
        </Field>
        <Button
          type="submit"
          variant={formState.isDirty ? 'primary' : 'secondary'}
          loading={saveName.isPending}
          className="justify-self-start"
        >
          Save name
        </Button>
      </Form>
    </AccountSection>
  );
}
