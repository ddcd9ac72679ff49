import type { ReactNode } from 'react';
import type { Headings } from '../../../content/pages/headings.ts';
import type { HomeSection } from '../../../content/pages/home-sections.ts';
import { FieldRow } from '../../../ui/form/field-row.tsx';
import { TextareaField, TextField } from '../../../ui/form/text-field.tsx';
import { SECTION_LABELS } from './section-labels.ts';

export function HeadingsFields() {
  return (
    <>
      <Group name="highlights">
        <EyebrowAndHeading name="highlights" />
      </Group>
      <Group name="services">
        <EyebrowAndHeading name="services" />
        <TextareaField<Headings> name="services.description" label="Description" rows={2} />
      </Group>
      <Group name="projects">
        <EyebrowAndHeading name="projects" />
      </Group>
      <Group name="insights">
        <EyebrowAndHeading name="insights" />
      </Group>
      <Group name="reviews">
        <TextField<Headings> name="reviews.heading" label="Heading" />
      </Group>
      <Group name="contact">
        <EyebrowAndHeading name="contact" />
      </Group>
      <Group name="domain-check">
        <TextField<Headings> name="domainCheck.heading" label="Heading" />
        <TextareaField<Headings> name="domainCheck.description" label="Description" rows={2} />
      </Group>
    </>
  );
}

function Group({ name, children }: { name: HomeSection; children: ReactNode }) {
  return (
    <fieldset data-shows={name} className="grid min-w-0 grid-cols-1 gap-4">
      <legend className="mb-3 text-lg font-semibold">{SECTION_LABELS[name]}</legend>
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
