import type { ReactNode } from 'react';
import type { Headings } from '../../../content/pages/headings.ts';
import { FieldRow } from '../../../ui/form/field-row.tsx';
import { TextareaField, TextField } from '../../../ui/form/text-field.tsx';

export function HeadingsFields() {
  return (
    <>
      <Group legend="Highlights">
        <EyebrowAndHeading name="highlights" />
      </Group>
      <Group legend="Services">
        <EyebrowAndHeading name="services" />
        <TextareaField<Headings> name="services.description" label="Description" rows={2} />
      </Group>
      <Group legend="Projects">
        <EyebrowAndHeading name="projects" />
      </Group>
      <Group legend="Latest posts">
        <EyebrowAndHeading name="insights" />
      </Group>
      <Group legend="Reviews">
        <TextField<Headings> name="reviews.heading" label="Heading" />
      </Group>
      <Group legend="Contact form">
        <EyebrowAndHeading name="contact" />
      </Group>
      <Group legend="Domain check">
        <TextField<Headings> name="domainCheck.heading" label="Heading" />
        <TextareaField<Headings> name="domainCheck.description" label="Description" rows={2} />
      </Group>
    </>
  );
}

function Group({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-4">
      <legend className="mb-3 text-lg font-semibold">{legend}</legend>
      {children}
    </fieldset>
  );
}

function EyebrowAndHeading({ name }: { name: 'highlights' | 'services' | 'projects' | 'insights' | 'contact' }) {
  return (
    <FieldRow>
      <TextField<Headings> name={`${name}.eyebrow`} label="Label above the heading" />
      <TextField<Headings> name={`${name}.heading`} label="Heading" />
    </FieldRow>
  );
}
