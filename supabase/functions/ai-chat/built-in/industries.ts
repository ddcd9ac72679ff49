/** Words by which an industry shows in a question or a project, and tools that visitors ask about. */
import { wordsOf } from './words.ts';

/** Words for one industry, in the languages of the assistant. */
export type Industry = ReadonlySet<string>;

export const INDUSTRIES: readonly Industry[] = [
  'hotel hotels hotell hoteller hotellet hotelle hospitality resort tourism travel reiseliv turisme turism tourismus restaurant restaurants restauranter restauranger gastronomie guests',
  'logistics logistikk logistik freight shipping transport transportation trucking haulage warehouse warehousing spedisjon spedition cargo carrier fracht lager supply',
  'maritime marine boat boats ship ships vessel vessels shipyard offshore fishing skip båt båter båtar sjøfart søfart sjöfart schifffahrt werft',
  'software saas tech startups programvare mjukvara developers apps fintech programmer',
  'manufacturing manufacturer manufacturers machine machines machinery maker workshop workshops factory factories industrial produksjon produktion tillverkning maskin maskiner maschinen maschinenbau industri industrie hersteller',
  'health healthcare medical dentist dentists dental clinic clinics hospital hospitals doctor doctors pharma medtech helse lege tannlege tannleger klinikk sundhed læge tandlæge vård tandläkare läkare klinik arzt ärzte zahnarzt zahnärzte krankenhaus gesundheit',
  'bank banks banking finance financial insurance insurer accounting accountants bank banker forsikring regnskap finans försäkring redovisning banken versicherung versicherungen finanz steuerberater',
  'law lawyer lawyers attorney attorneys advokat advokater advokatfirma anwalt anwälte kanzlei kanzleien',
  'retail retailer ecommerce shop shops store stores webshop nettbutikk nettbutikker butikk butikker nethandel butik butikker handel näthandel butiker einzelhandel onlineshop',
  'estate property realtor construction builder builders contractor contractors architects eiendom eiendomsmegler bygg ejendom byggeri fastighet fastigheter mäklare immobilien makler bau bauunternehmen',
  'education school schools university universities college courses utdanning skole skoler uddannelse utbildning skola skolor bildung schule schulen universität',
  'recruiting recruitment recruiters staffing headhunters rekruttering bemanning rekrytering personalvermittlung',
  'energy solar wind power utilities oil energi strøm sol olje el energie strom photovoltaik',
  'public municipality municipalities government kommune kommuner offentlig kommun kommuner offentliga behörde behörden öffentlich',
  'nonprofit nonprofits charity charities ngo ideell ideelle velgørende ideella gemeinnützig verein vereine',
].map((words) => new Set(wordsOf(words)));

/** Tools that visitors ask about by name. */
export const TOOLS = new Map(
  'LinkedIn Instagram Facebook TikTok HubSpot Salesforce Pipedrive Shopify WordPress Slack Teams Outlook Gmail Zapier n8n Notion Airtable Intercom Zendesk Mailchimp Calendly SuperOffice Dynamics SAP Odoo Apollo Lemlist WhatsApp Messenger Wix Squarespace Webflow Magento WooCommerce Zoho Freshdesk Klaviyo Office365'
    .split(' ')
    .map((name) => [name.toLowerCase(), name] as const),
);
