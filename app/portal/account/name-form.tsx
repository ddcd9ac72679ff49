import { z } from 'zod';
import { changeName } from '../../data/accounts.ts';
import type { Account } from '../../data/session.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { tellFailure } from '../../ui/tell-failure.ts';
import { toast } from '../../ui/toast.ts';
import { useSchemaForm } from '../../ui/use-schema-form.ts';
import { AccountSection } from './account-section.tsx';

const schema = z.object({ name: z.string().trim().max(100, 'Name must be less than 100 characters') });

export function NameForm({ account }: { account: Account }) {
  const { errors, sending, formProps } = useSchemaForm(schema, async ({ name }) => {
    try {
      await changeName(name);
      toast.success('Name saved');
    } catch (error) {
      tellFailure('The name was not saved', error);
    }
  });

  return (
    <AccountSection title="Name" description="How we address you, here and in e-mails.">
      <form {...formProps} className="grid justify-items-start gap-4">
        <Field label="Name" error={errors['name']} className="w-full">
          <Input name="name" autoComplete="name" defaultValue={account.name} />
        </Field>
        <Button type="submit" loading={sending}>
          Save name
        </Button>
      </form>
    </AccountSection>
  );
}
