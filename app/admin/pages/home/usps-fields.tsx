import type { Usps } from '../../../content/pages/usps.ts';
import { FieldRow } from '../../../ui/form/field-row.tsx';
import { TextareaField, TextField } from '../../../ui/form/text-field.tsx';
import { Tab, TabList, TabPanel, Tabs } from '../../../ui/tabs.tsx';

const CARDS = [
  { value: 'card1', label: 'Testimonial', Fields: TestimonialCardFields },
  { value: 'card2', label: 'Fact 01', Fields: ShareCardFields },
  { value: 'card3', label: 'Case Study', Fields: CaseStudyCardFields },
  { value: 'card4', label: 'Fact 02', Fields: AmountCardFields },
  { value: 'card5', label: 'Process', Fields: ProcessCardFields },
  { value: 'card6', label: 'About', Fields: AboutCardFields },
];

/** Renders one tab per card. All cards are saved together. */
export function UspsFields() {
  return (
    <Tabs defaultValue="card1" className="grid-cols-1">
      {/* Two rows of three, because six do not fit in one row. */}
      <TabList aria-label="Cards" className="grid! grid-cols-3">
        {CARDS.map(({ value, label }) => (
          <Tab key={value} value={value}>
            {label}
          </Tab>
        ))}
      </TabList>
      {CARDS.map(({ value, Fields }) => (
        <TabPanel key={value} value={value} className="grid grid-cols-1 gap-6 data-[state=inactive]:hidden">
          <Fields />
        </TabPanel>
      ))}
    </Tabs>
  );
}

function TestimonialCardFields() {
  return (
    <>
      <TextField<Usps> name="card1.heading" label="Heading" />
      <TextareaField<Usps> name="card1.quote" label="Quote" />
      <TextField<Usps> name="card1.clientName" label="Client name" />
      <FieldRow>
        <TextField<Usps> name="card1.clientTitle" label="Client title" />
        <TextField<Usps> name="card1.clientCompany" label="Client company" />
      </FieldRow>
    </>
  );
}

function ShareCardFields() {
  return (
    <>
      <TextField<Usps> name="card2.percentage" label="Percentage" />
      <TextareaField<Usps> name="card2.description" label="Description" />
    </>
  );
}

function CaseStudyCardFields() {
  return (
    <>
      <TextField<Usps> name="card3.company" label="Company" />
      <TextareaField<Usps> name="card3.description" label="Description" />
      <TextField<Usps> name="card3.linkText" label="Link text" />
    </>
  );
}

function AmountCardFields() {
  return (
    <>
      <TextField<Usps> name="card4.dollarAmount" label="Dollar amount" />
      <TextareaField<Usps> name="card4.description" label="Description" />
      <FieldRow>
        <TextField<Usps> name="card4.caseLinkText" label="Link text" />
        <TextField<Usps>
          name="card4.caseUrl"
          label="Link URL"
          help="The case study behind the amount. Leave both fields empty to hide the link."
        />
      </FieldRow>
    </>
  );
}

function ProcessCardFields() {
  return (
    <>
      <TextField<Usps> name="card5.processHeading" label="Heading" />
      <TextareaField<Usps> name="card5.processDescription" label="Description" />
      <TextField<Usps> name="card5.processLinkText" label="Link text" />
      <TextareaField<Usps> name="card5.timeline.description" label="Timeline description" rows={2} />
      {([1, 2, 3] as const).map((phase) => (
        <FieldRow key={phase}>
          <TextField<Usps> name={`card5.timeline.phase${phase}.name`} label={`Phase ${phase} name`} />
          <TextField<Usps> name={`card5.timeline.phase${phase}.duration`} label={`Phase ${phase} duration`} />
        </FieldRow>
      ))}
    </>
  );
}

function AboutCardFields() {
  return (
    <>
      <TextField<Usps> name="card6.heading" label="Heading" />
      <TextareaField<Usps> name="card6.description" label="Description" />
    </>
  );
}
