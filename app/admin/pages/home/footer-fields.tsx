import type { ReactNode } from 'react';
import { useFormContext } from 'react-hook-form';
import type { Footer, SocialLink } from '../../../data/page-content/footer.ts';
import { PLATFORM_NAMES } from '../../../footer/platform-names.ts';
import { Switch } from '../../../ui/switch.tsx';
import { FieldRow } from '../../form/field-row.tsx';
import { TextareaField, TextField } from '../../form/text-field.tsx';
import { ItemList } from '../item-list.tsx';
import { SeparatedField } from '../separated-field.tsx';

export function FooterFields() {
  return (
    <>
      <Group legend="Newsletter">
        <TextField<Footer> name="newsletter.heading" label="Heading" />
        <TextareaField<Footer> name="newsletter.description" label="Description" rows={2} />
        <TextField<Footer> name="newsletter.placeholder" label="Placeholder" />
      </Group>
      <Group legend="Information">
        <TextField<Footer> name="information.title" label="Title" />
        <LinkList name="information.links" legend="Links" one="Link" />
      </Group>
      <Group legend="Contact">
        <TextField<Footer> name="contact.title" label="Title" />
        <SeparatedField<Footer> name="contact.address" label="Address" separator={'\n'} help="One line each." />
        <TextField<Footer> name="contact.email" label="Email" type="email" />
      </Group>
      <SocialFields />
      <Group legend="Bottom">
        <TextField<Footer> name="bottom.copyright" label="Copyright" />
        <LinkList name="bottom.legalLinks" legend="Legal links" one="Legal link" />
      </Group>
    </>
  );
}

function Group({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <div className="border-t border-line pt-6 first:border-t-0 first:pt-0">
      <fieldset className="grid grid-cols-1 gap-5">
        <legend className="mb-4 text-display-3">{legend}</legend>
        {children}
      </fieldset>
    </div>
  );
}

type LinkListName = 'information.links' | 'bottom.legalLinks';

function LinkList({ name, legend, one }: { name: LinkListName; legend: string; one: string }) {
  return (
    <ItemList<Footer, LinkListName> name={name} legend={legend} one={one} create={() => ({ label: '', url: '' })}>
      {(prefix) => (
        <FieldRow>
          <TextField<Footer> name={`${prefix}.label`} label="Label" />
          <TextField<Footer> name={`${prefix}.url`} label="Address" inputMode="url" autoComplete="off" />
        </FieldRow>
      )}
    </ItemList>
  );
}

/** One row for each platform that the form has. */
function SocialFields() {
  const { register, getValues } = useFormContext();
  const links: SocialLink[] = getValues('social.links');
  return (
    <Group legend="Social media">
      <TextField<Footer> name="social.title" label="Title" />
      {links.map(({ platform }, index) => (
        <div key={platform} className="grid grid-cols-1 gap-3 rounded-lg border border-line bg-surface p-4">
          <Switch label={`Show ${PLATFORM_NAMES[platform]}`} {...register(`social.links.${index}.enabled`)} />
          <TextField<Footer>
            name={`social.links.${index}.url`}
            label={`${PLATFORM_NAMES[platform]} address`}
            inputMode="url"
            autoComplete="off"
          />
        </div>
      ))}
    </Group>
  );
}
