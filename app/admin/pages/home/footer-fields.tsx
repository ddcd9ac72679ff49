import type { ReactNode } from 'react';
import { useFormContext } from 'react-hook-form';
import type { Footer, SocialLink } from '../../../content/pages/footer.ts';
import { PLATFORM_NAMES } from '../../../site/footer/platform-names.ts';
import { Field } from '../../../ui/field.tsx';
import { FieldRow } from '../../../ui/form/field-row.tsx';
import { TextareaField, TextField } from '../../../ui/form/text-field.tsx';
import { useFieldError } from '../../../ui/form/use-field-error.ts';
import { Input } from '../../../ui/input.tsx';
import { ROWS_CLASS } from '../../../ui/list/rows-class.ts';
import { Switch } from '../../../ui/switch.tsx';
import { ItemList, type OpenRow, useOpenRow } from '../item-list.tsx';
import { SeparatedField } from '../separated-field.tsx';

export function FooterFields() {
  // Both lists share this state, so that at most one row is open.
  const openRow = useOpenRow();
  return (
    <div className="grid grid-cols-1 gap-5">
      <Group legend="Closing band">
        <TextField<Footer>
          name="closing.heading"
          label="Heading"
          help="Shown above the footer of About, Services and Projects."
        />
        <TextareaField<Footer> name="closing.description" label="Description" rows={2} />
        <FieldRow>
          <TextField<Footer> name="closing.bookText" label="Button text" />
          <TextField<Footer> name="closing.writeText" label="Link text" />
        </FieldRow>
      </Group>
      <Group legend="Newsletter">
        <FieldRow>
          <TextField<Footer> name="newsletter.heading" label="Heading" />
          <TextField<Footer> name="newsletter.placeholder" label="Placeholder" />
        </FieldRow>
        <TextareaField<Footer> name="newsletter.description" label="Description" rows={2} />
      </Group>
      <Group legend="Information">
        <TextField<Footer> name="information.title" label="Title" />
        <LinkList name="information.links" legend="Links" singular="Link" openRow={openRow} />
      </Group>
      <Group legend="Contact">
        <FieldRow>
          <TextField<Footer> name="contact.title" label="Title" />
          <TextField<Footer>
            name="contact.email"
            label="Email"
            type="email"
            help="Leave empty to show the contact email of the settings."
          />
        </FieldRow>
        <SeparatedField<Footer> name="contact.address" label="Address" separator={'\n'} help="One per line." />
      </Group>
      <SocialFields />
      <Group legend="Bottom">
        <TextField<Footer> name="bottom.copyright" label="Copyright" />
        <LinkList name="bottom.legalLinks" legend="Legal links" singular="Legal link" openRow={openRow} />
      </Group>
    </div>
  );
}

function Group({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <div className="border-t border-line pt-5 first:border-t-0 first:pt-0">
      <fieldset className="grid min-w-0 grid-cols-1 gap-4">
        <legend className="mb-3 text-xl font-semibold">{legend}</legend>
        {children}
      </fieldset>
    </div>
  );
}

type LinkListName = 'information.links' | 'bottom.legalLinks';

interface LinkListProps {
  name: LinkListName;
  legend: string;
  singular: string;
  openRow: OpenRow;
}

function LinkList(props: LinkListProps) {
  return (
    <ItemList<Footer, LinkListName>
      {...props}
      create={() => ({ label: '', url: '' })}
      summary={({ label, url }) => ({ title: label, detail: url })}
    >
      {(prefix) => (
        <FieldRow>
          <TextField<Footer> name={`${prefix}.label`} label="Label" />
          <TextField<Footer> name={`${prefix}.url`} label="URL" inputMode="url" autoComplete="off" />
        </FieldRow>
      )}
    </ItemList>
  );
}

/** Renders a row for each social media platform. */
function SocialFields() {
  const { getValues } = useFormContext();
  const links: SocialLink[] = getValues('social.links');
  return (
    <Group legend="Social media">
      <TextField<Footer> name="social.title" label="Title" />
      <div className={ROWS_CLASS}>
        {links.map(({ platform }, index) => (
          <PlatformRow key={platform} platform={PLATFORM_NAMES[platform]} name={`social.links.${index}`} />
        ))}
      </div>
    </Group>
  );
}

function PlatformRow({ platform, name }: { platform: string; name: `social.links.${number}` }) {
  const { register } = useFormContext();
  return (
    <div className="grid grid-cols-1 items-center gap-x-4 gap-y-2 p-2 pl-4 sm:grid-cols-[11.5rem_minmax(0,1fr)]">
      <Switch label={`Show ${platform}`} {...register(`${name}.enabled`)} />
      <Field label={`${platform} URL`} labelHidden error={useFieldError(`${name}.url`)}>
        <Input inputMode="url" autoComplete="off" {...register(`${name}.url`)} />
      </Field>
    </div>
  );
}
