import { FormColumns } from '../../form/form-columns.tsx';
import { StatusField } from '../../form/status-field.tsx';
import { DisplayOrderField, TextField } from '../../form/text-field.tsx';
import { MarkdownField } from '../../writer/markdown-field.tsx';
import type { FaqForm } from './schema.ts';

export default function FaqFields() {
  return (
    <FormColumns
      rail={
        <>
          <StatusField<FaqForm> name="status" />
          <DisplayOrderField<FaqForm> name="display_order" />
        </>
      }
    >
      <TextField<FaqForm> name="question" required help="As a visitor would ask it." />
      <MarkdownField<FaqForm> name="answer" required="to publish" help="A draft may lack it." />
    </FormColumns>
  );
}
