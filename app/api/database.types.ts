// Written by `npm run types` from supabase/migrations. Do not edit.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  __InternalSupabase: { PostgrestVersion: '13' }
  public: {
    Tables: {
      approval_comments: {
        Row: {
          approval_id: string
          client_id: string
          created_at: string
          id: string
          number: number
          quote: string
          text: string
          written_by: string | null
        }
        Insert: {
          approval_id: string
          client_id: string
          created_at?: string
          id?: string
          number: number
          quote?: string
          text: string
          written_by?: string | null
        }
        Update: {
          approval_id?: string
          client_id?: string
          created_at?: string
          id?: string
          number?: number
          quote?: string
          text?: string
          written_by?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "approval_comments_client_id_approval_id_number_fkey"
            columns: ["client_id", "approval_id", "number"]
            isOneToOne: false
            referencedRelation: "approval_versions"
            referencedColumns: ["client_id", "approval_id", "number"]
          },
        ]
      }
      approval_decisions: {
        Row: {
          approval_id: string
          client_id: string
          comment: string
          created_at: string
          decided_by: string | null
          decided_by_address: string
          decided_by_name: string
          file_sha256: string | null
          number: number
          text_sha256: string | null
          title: string
          verdict: string
        }
        Insert: {
          approval_id: string
          client_id: string
          comment?: string
          created_at?: string
          decided_by?: string | null
          decided_by_address?: string
          decided_by_name?: string
          file_sha256?: string | null
          number: number
          text_sha256?: string | null
          title?: string
          verdict: string
        }
        Update: {
          approval_id?: string
          client_id?: string
          comment?: string
          created_at?: string
          decided_by?: string | null
          decided_by_address?: string
          decided_by_name?: string
          file_sha256?: string | null
          number?: number
          text_sha256?: string | null
          title?: string
          verdict?: string
        }
        Relationships: [
          {
            foreignKeyName: "approval_decisions_client_id_approval_id_number_fkey"
            columns: ["client_id", "approval_id", "number"]
            isOneToOne: true
            referencedRelation: "approval_versions"
            referencedColumns: ["client_id", "approval_id", "number"]
          },
        ]
      }
      approval_rows: {
        Row: {
          approval_id: string
          client_id: string
          company: string
          domain: string
          fingerprint: string | null
          hint: string
          line: number
          note: string
          number: number
          person: string
        }
        Insert: {
          approval_id: string
          client_id: string
          company?: string
          domain?: string
          fingerprint?: string | null
          hint?: string
          line: number
          note?: string
          number: number
          person?: string
        }
        Update: {
          approval_id?: string
          client_id?: string
          company?: string
          domain?: string
          fingerprint?: string | null
          hint?: string
          line?: number
          note?: string
          number?: number
          person?: string
        }
        Relationships: [
          {
            foreignKeyName: "approval_rows_client_id_approval_id_number_fkey"
            columns: ["client_id", "approval_id", "number"]
            isOneToOne: false
            referencedRelation: "approval_versions"
            referencedColumns: ["client_id", "approval_id", "number"]
          },
        ]
      }
      approval_versions: {
        Row: {
          approval_id: string
          asked_by: string | null
          client_id: string
          created_at: string
          due_on: string | null
          file_id: string | null
          file_sha256: string | null
          is_client_edit: boolean
          number: number
          text: string
          title: string
        }
        Insert: {
          approval_id: string
          asked_by?: string | null
          client_id: string
          created_at?: string
          due_on?: string | null
          file_id?: string | null
          file_sha256?: string | null
          is_client_edit?: boolean
          number: number
          text: string
          title?: string
        }
        Update: {
          approval_id?: string
          asked_by?: string | null
          client_id?: string
          created_at?: string
          due_on?: string | null
          file_id?: string | null
          file_sha256?: string | null
          is_client_edit?: boolean
          number?: number
          text?: string
          title?: string
        }
        Relationships: [
          {
            foreignKeyName: "approval_versions_client_id_approval_id_fkey"
            columns: ["client_id", "approval_id"]
            isOneToOne: false
            referencedRelation: "approvals"
            referencedColumns: ["client_id", "id"]
          },
          {
            foreignKeyName: "approval_versions_client_id_file_id_fkey"
            columns: ["client_id", "file_id"]
            isOneToOne: false
            referencedRelation: "client_files"
            referencedColumns: ["client_id", "id"]
          },
        ]
      }
      approval_vetoes: {
        Row: {
          approval_id: string
          client_id: string
          created_at: string
          line: number
          number: number
          vetoed_by: string | null
        }
        Insert: {
          approval_id: string
          client_id: string
          created_at?: string
          line: number
          number: number
          vetoed_by?: string | null
        }
        Update: {
          approval_id?: string
          client_id?: string
          created_at?: string
          line?: number
          number?: number
          vetoed_by?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "approval_vetoes_client_id_approval_id_number_line_fkey"
            columns: ["client_id", "approval_id", "number", "line"]
            isOneToOne: true
            referencedRelation: "approval_rows"
            referencedColumns: ["client_id", "approval_id", "number", "line"]
          },
        ]
      }
      approvals: {
        Row: {
          client_id: string
          created_at: string
          id: string
          kind: string
          title: string
        }
        Insert: {
          client_id: string
          created_at?: string
          id?: string
          kind?: string
          title: string
        }
        Update: {
          client_id?: string
          created_at?: string
          id?: string
          kind?: string
          title?: string
        }
        Relationships: [
          {
            foreignKeyName: "approvals_client_id_fkey"
            columns: ["client_id"]
            isOneToOne: false
            referencedRelation: "clients"
            referencedColumns: ["id"]
          },
        ]
      }
      assistant_checks: {
        Row: {
          answer: string
          changed_by: string | null
          created_at: string
          id: string
          must_name: string[]
          must_not_name: string[]
          passed: boolean | null
          question: string
          ran_at: string | null
          updated_at: string
        }
        Insert: {
          answer?: string
          changed_by?: string | null
          created_at?: string
          id?: string
          must_name?: string[]
          must_not_name?: string[]
          passed?: boolean | null
          question: string
          ran_at?: string | null
          updated_at?: string
        }
        Update: {
          answer?: string
          changed_by?: string | null
          created_at?: string
          id?: string
          must_name?: string[]
          must_not_name?: string[]
          passed?: boolean | null
          question?: string
          ran_at?: string | null
          updated_at?: string
        }
        Relationships: []
      }
      availability: {
        Row: {
          ends_at: string
          id: string
          starts_at: string
          weekday: number
        }
        Insert: {
          ends_at: string
          id?: string
          starts_at: string
          weekday: number
        }
        Update: {
          ends_at?: string
          id?: string
          starts_at?: string
          weekday?: number
        }
        Relationships: []
      }
      booking_busy: {
        Row: {
          calendar_id: string
          during: string
        }
        Insert: {
          calendar_id: string
          during: string
        }
        Update: {
          calendar_id?: string
          during?: string
        }
        Relationships: [
          {
            foreignKeyName: "booking_busy_calendar_id_fkey"
            columns: ["calendar_id"]
            isOneToOne: false
            referencedRelation: "booking_calendars"
            referencedColumns: ["id"]
          },
        ]
      }
      booking_calendars: {
        Row: {
          address: string
          created_at: string
          failure: string | null
          id: string
          label: string
          next_read_at: string
          read_at: string | null
        }
        Insert: {
          address: string
          created_at?: string
          failure?: string | null
          id?: string
          label: string
          next_read_at?: string
          read_at?: string | null
        }
        Update: {
          address?: string
          created_at?: string
          failure?: string | null
          id?: string
          label?: string
          next_read_at?: string
          read_at?: string | null
        }
        Relationships: []
      }
      booking_exceptions: {
        Row: {
          ends_at: string
          first_day: string
          id: string
          last_day: string
          note: string
          starts_at: string
        }
        Insert: {
          ends_at?: string
          first_day: string
          id?: string
          last_day: string
          note?: string
          starts_at?: string
        }
        Update: {
          ends_at?: string
          first_day?: string
          id?: string
          last_day?: string
          note?: string
          starts_at?: string
        }
        Relationships: []
      }
      booking_rules: {
        Row: {
          days_ahead: number
          id: boolean
          length_minutes: number
          notice_minutes: number
          place: string
          time_zone: string
          updated_at: string
        }
        Insert: {
          days_ahead?: number
          id?: boolean
          length_minutes?: number
          notice_minutes?: number
          place?: string
          time_zone?: string
          updated_at?: string
        }
        Update: {
          days_ahead?: number
          id?: boolean
          length_minutes?: number
          notice_minutes?: number
          place?: string
          time_zone?: string
          updated_at?: string
        }
        Relationships: []
      }
      bookings: {
        Row: {
          cancelled_by: string | null
          created_at: string
          email: string
          ends_at: string
          id: string
          is_verified: boolean
          message: string
          name: string
          phone: string
          reminder_mail_id: number | null
          sequence: number
          service: string
          slot: string
          starts_at: string
          state: string
          time_zone: string
          token_hash: string
          updated_at: string
        }
        Insert: {
          cancelled_by?: string | null
          created_at?: string
          email: string
          ends_at?: never
          id?: string
          is_verified?: boolean
          message?: string
          name: string
          phone?: string
          reminder_mail_id?: number | null
          sequence?: number
          service?: string
          slot: string
          starts_at?: never
          state?: string
          time_zone: string
          token_hash: string
          updated_at?: string
        }
        Update: {
          cancelled_by?: string | null
          created_at?: string
          email?: string
          ends_at?: never
          id?: string
          is_verified?: boolean
          message?: string
          name?: string
          phone?: string
          reminder_mail_id?: number | null
          sequence?: number
          service?: string
          slot?: string
          starts_at?: never
          state?: string
          time_zone?: string
          token_hash?: string
          updated_at?: string
        }
        Relationships: []
      }
      campaign_figures: {
        Row: {
          batch_id: string
          campaign_id: string
          client_id: string
          first_day: string
          last_day: string
          metric: string
          replaced_by: string | null
          value: number
        }
        Insert: {
          batch_id: string
          campaign_id: string
          client_id: string
          first_day: string
          last_day: string
          metric: string
          replaced_by?: string | null
          value: number
        }
        Update: {
          batch_id?: string
          campaign_id?: string
          client_id?: string
          first_day?: string
          last_day?: string
          metric?: string
          replaced_by?: string | null
          value?: number
        }
        Relationships: [
          {
            foreignKeyName: "campaign_figures_client_id_campaign_id_fkey"
            columns: ["client_id", "campaign_id"]
            isOneToOne: false
            referencedRelation: "campaigns"
            referencedColumns: ["client_id", "id"]
          },
          {
            foreignKeyName: "campaign_figures_client_id_batch_id_fkey"
            columns: ["client_id", "batch_id"]
            isOneToOne: false
            referencedRelation: "import_batches"
            referencedColumns: ["client_id", "id"]
          },
          {
            foreignKeyName: "campaign_figures_client_id_replaced_by_fkey"
            columns: ["client_id", "replaced_by"]
            isOneToOne: false
            referencedRelation: "import_batches"
            referencedColumns: ["client_id", "id"]
          },
        ]
      }
      campaign_lists: {
        Row: {
          added_by: string | null
          approval_id: string
          campaign_id: string
          client_id: string
          created_at: string
          replaced_at: string | null
        }
        Insert: {
          added_by?: string | null
          approval_id: string
          campaign_id: string
          client_id: string
          created_at?: string
          replaced_at?: string | null
        }
        Update: {
          added_by?: string | null
          approval_id?: string
          campaign_id?: string
          client_id?: string
          created_at?: string
          replaced_at?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "campaign_lists_client_id_approval_id_fkey"
            columns: ["client_id", "approval_id"]
            isOneToOne: false
            referencedRelation: "approvals"
            referencedColumns: ["client_id", "id"]
          },
          {
            foreignKeyName: "campaign_lists_client_id_campaign_id_fkey"
            columns: ["client_id", "campaign_id"]
            isOneToOne: false
            referencedRelation: "campaigns"
            referencedColumns: ["client_id", "id"]
          },
        ]
      }
      campaign_sources: {
        Row: {
          added_by: string | null
          campaign_id: string
          client_id: string
          counts_from: string
          created_at: string
          ends_on: string | null
          external_id: string
          id: string
          metrics: string[]
          provider: string
          secret_hash: string | null
          signing_secret: string | null
          stored_bytes: number
          stored_on: string | null
          token_hash: string
        }
        Insert: {
          added_by?: string | null
          campaign_id: string
          client_id: string
          counts_from: string
          created_at?: string
          ends_on?: string | null
          external_id?: string
          id?: string
          metrics: string[]
          provider: string
          secret_hash?: string | null
          signing_secret?: string | null
          stored_bytes?: number
          stored_on?: string | null
          token_hash: string
        }
        Update: {
          added_by?: string | null
          campaign_id?: string
          client_id?: string
          counts_from?: string
          created_at?: string
          ends_on?: string | null
          external_id?: string
          id?: string
          metrics?: string[]
          provider?: string
          secret_hash?: string | null
          signing_secret?: string | null
          stored_bytes?: number
          stored_on?: string | null
          token_hash?: string
        }
        Relationships: [
          {
            foreignKeyName: "campaign_sources_client_id_campaign_id_fkey"
            columns: ["client_id", "campaign_id"]
            isOneToOne: false
            referencedRelation: "campaigns"
            referencedColumns: ["client_id", "id"]
          },
        ]
      }
      campaign_texts: {
        Row: {
          added_by: string | null
          approval_id: string
          campaign_id: string
          client_id: string
          created_at: string
          replaced_at: string | null
          step: number | null
        }
        Insert: {
          added_by?: string | null
          approval_id: string
          campaign_id: string
          client_id: string
          created_at?: string
          replaced_at?: string | null
          step?: number | null
        }
        Update: {
          added_by?: string | null
          approval_id?: string
          campaign_id?: string
          client_id?: string
          created_at?: string
          replaced_at?: string | null
          step?: number | null
        }
        Relationships: [
          {
            foreignKeyName: "campaign_texts_client_id_approval_id_fkey"
            columns: ["client_id", "approval_id"]
            isOneToOne: false
            referencedRelation: "approvals"
            referencedColumns: ["client_id", "id"]
          },
          {
            foreignKeyName: "campaign_texts_client_id_campaign_id_fkey"
            columns: ["client_id", "campaign_id"]
            isOneToOne: false
            referencedRelation: "campaigns"
            referencedColumns: ["client_id", "id"]
          },
        ]
      }
      campaign_versions: {
        Row: {
          action: string
          campaign: Json
          campaign_id: string
          changed_by: string | null
          client_id: string
          created_at: string
          number: number
        }
        Insert: {
          action: string
          campaign: Json
          campaign_id: string
          changed_by?: string | null
          client_id: string
          created_at?: string
          number: number
        }
        Update: {
          action?: string
          campaign?: Json
          campaign_id?: string
          changed_by?: string | null
          client_id?: string
          created_at?: string
          number?: number
        }
        Relationships: [
          {
            foreignKeyName: "campaign_versions_client_id_campaign_id_fkey"
            columns: ["client_id", "campaign_id"]
            isOneToOne: false
            referencedRelation: "campaigns"
            referencedColumns: ["client_id", "id"]
          },
        ]
      }
      campaigns: {
        Row: {
          channel: string
          client_id: string
          created_at: string
          deleted_at: string | null
          due_on: string | null
          id: string
          name: string
          next_step: string
          phase: string
          updated_at: string
        }
        Insert: {
          channel: string
          client_id: string
          created_at?: string
          deleted_at?: string | null
          due_on?: string | null
          id?: string
          name: string
          next_step?: string
          phase?: string
          updated_at?: string
        }
        Update: {
          channel?: string
          client_id?: string
          created_at?: string
          deleted_at?: string | null
          due_on?: string | null
          id?: string
          name?: string
          next_step?: string
          phase?: string
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: "campaigns_client_id_fkey"
            columns: ["client_id"]
            isOneToOne: false
            referencedRelation: "clients"
            referencedColumns: ["id"]
          },
        ]
      }
      chat_messages: {
        Row: {
          content: string
          conversation_id: string
          created_at: string
          id: string
          role: string
        }
        Insert: {
          content: string
          conversation_id: string
          created_at?: string
          id?: string
          role: string
        }
        Update: {
          content?: string
          conversation_id?: string
          created_at?: string
          id?: string
          role?: string
        }
        Relationships: [
          {
            foreignKeyName: "chat_messages_conversation_id_fkey"
            columns: ["conversation_id"]
            isOneToOne: false
            referencedRelation: "conversations"
            referencedColumns: ["id"]
          },
        ]
      }
      chat_usage: {
        Row: {
          day: string
          replies: number
        }
        Insert: {
          day: string
          replies?: number
        }
        Update: {
          day?: string
          replies?: number
        }
        Relationships: []
      }
      client_alarms: {
        Row: {
          client_id: string
          created_at: string
          id: string
          kind: string
          latest_at: string
          resolved_at: string | null
          resolved_by: string | null
          subject: string
          text: string
          times: number
        }
        Insert: {
          client_id: string
          created_at?: string
          id?: string
          kind: string
          latest_at?: string
          resolved_at?: string | null
          resolved_by?: string | null
          subject: string
          text: string
          times?: number
        }
        Update: {
          client_id?: string
          created_at?: string
          id?: string
          kind?: string
          latest_at?: string
          resolved_at?: string | null
          resolved_by?: string | null
          subject?: string
          text?: string
          times?: number
        }
        Relationships: [
          {
            foreignKeyName: "client_alarms_client_id_fkey"
            columns: ["client_id"]
            isOneToOne: false
            referencedRelation: "clients"
            referencedColumns: ["id"]
          },
        ]
      }
      client_assignments: {
        Row: {
          client_id: string
          created_at: string
          user_id: string
        }
        Insert: {
          client_id: string
          created_at?: string
          user_id: string
        }
        Update: {
          client_id?: string
          created_at?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "client_assignments_client_id_fkey"
            columns: ["client_id"]
            isOneToOne: false
            referencedRelation: "clients"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "client_assignments_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "user_roles"
            referencedColumns: ["user_id"]
          },
        ]
      }
      client_fees: {
        Row: {
          amount: number
          client_id: string
          created_at: string
          first_month: string
          number: number
          set_by: string | null
        }
        Insert: {
          amount: number
          client_id: string
          created_at?: string
          first_month: string
          number: number
          set_by?: string | null
        }
        Update: {
          amount?: number
          client_id?: string
          created_at?: string
          first_month?: string
          number?: number
          set_by?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "client_fees_client_id_fkey"
            columns: ["client_id"]
            isOneToOne: false
            referencedRelation: "clients"
            referencedColumns: ["id"]
          },
        ]
      }
      client_files: {
        Row: {
          added_by: string | null
          client_id: string
          created_at: string
          id: string
          mimetype: string
          name: string
          object_name: string
          sha256: string | null
          size: number
        }
        Insert: {
          added_by?: string | null
          client_id: string
          created_at?: string
          id: string
          mimetype: string
          name: string
          object_name: string
          sha256?: string | null
          size: number
        }
        Update: {
          added_by?: string | null
          client_id?: string
          created_at?: string
          id?: string
          mimetype?: string
          name?: string
          object_name?: string
          sha256?: string | null
          size?: number
        }
        Relationships: [
          {
            foreignKeyName: "client_files_client_id_fkey"
            columns: ["client_id"]
            isOneToOne: false
            referencedRelation: "clients"
            referencedColumns: ["id"]
          },
        ]
      }
      client_invitations: {
        Row: {
          address: string
          client_id: string
          created_at: string
          kind: string
          user_id: string
        }
        Insert: {
          address: string
          client_id: string
          created_at?: string
          kind: string
          user_id: string
        }
        Update: {
          address?: string
          client_id?: string
          created_at?: string
          kind?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "client_invitations_client_id_fkey"
            columns: ["client_id"]
            isOneToOne: false
            referencedRelation: "clients"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "client_invitations_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "user_roles"
            referencedColumns: ["user_id"]
          },
        ]
      }
      client_lead_changes: {
        Row: {
          changed_by: string | null
          client_id: string
          created_at: string
          lead_id: string
          number: number
          reason: string
          status: string
        }
        Insert: {
          changed_by?: string | null
          client_id: string
          created_at?: string
          lead_id: string
          number: number
          reason?: string
          status: string
        }
        Update: {
          changed_by?: string | null
          client_id?: string
          created_at?: string
          lead_id?: string
          number?: number
          reason?: string
          status?: string
        }
        Relationships: [
          {
            foreignKeyName: "client_lead_changes_client_id_lead_id_fkey"
            columns: ["client_id", "lead_id"]
            isOneToOne: false
            referencedRelation: "client_leads"
            referencedColumns: ["client_id", "id"]
          },
        ]
      }
      client_leads: {
        Row: {
          added_by: string | null
          approval_id: string | null
          campaign_id: string | null
          changed_at: string
          client_id: string
          company: string
          created_at: string
          email: string
          id: string
          name: string
          origin: string
          reason: string
          received_at: string
          reminded_at: string | null
          status: string
          step: number | null
          taken_at: string | null
          taken_by: string | null
          title: string
          words: string
        }
        Insert: {
          added_by?: string | null
          approval_id?: string | null
          campaign_id?: string | null
          changed_at?: string
          client_id: string
          company?: string
          created_at?: string
          email?: string
          id?: string
          name?: string
          origin: string
          reason?: string
          received_at: string
          reminded_at?: string | null
          status?: string
          step?: number | null
          taken_at?: string | null
          taken_by?: string | null
          title?: string
          words?: string
        }
        Update: {
          added_by?: string | null
          approval_id?: string | null
          campaign_id?: string | null
          changed_at?: string
          client_id?: string
          company?: string
          created_at?: string
          email?: string
          id?: string
          name?: string
          origin?: string
          reason?: string
          received_at?: string
          reminded_at?: string | null
          status?: string
          step?: number | null
          taken_at?: string | null
          taken_by?: string | null
          title?: string
          words?: string
        }
        Relationships: [
          {
            foreignKeyName: "client_leads_client_id_approval_id_fkey"
            columns: ["client_id", "approval_id"]
            isOneToOne: false
            referencedRelation: "approvals"
            referencedColumns: ["client_id", "id"]
          },
          {
            foreignKeyName: "client_leads_client_id_campaign_id_fkey"
            columns: ["client_id", "campaign_id"]
            isOneToOne: false
            referencedRelation: "campaigns"
            referencedColumns: ["client_id", "id"]
          },
          {
            foreignKeyName: "client_leads_client_id_fkey"
            columns: ["client_id"]
            isOneToOne: false
            referencedRelation: "clients"
            referencedColumns: ["id"]
          },
        ]
      }
      client_meeting_changes: {
        Row: {
          changed_by: string | null
          client_id: string
          created_at: string
          criterion: string | null
          meeting_id: string
          number: number
          reason: string
          status: string
        }
        Insert: {
          changed_by?: string | null
          client_id: string
          created_at?: string
          criterion?: string | null
          meeting_id: string
          number: number
          reason?: string
          status: string
        }
        Update: {
          changed_by?: string | null
          client_id?: string
          created_at?: string
          criterion?: string | null
          meeting_id?: string
          number?: number
          reason?: string
          status?: string
        }
        Relationships: [
          {
            foreignKeyName: "client_meeting_changes_client_id_meeting_id_fkey"
            columns: ["client_id", "meeting_id"]
            isOneToOne: false
            referencedRelation: "client_meetings"
            referencedColumns: ["client_id", "id"]
          },
        ]
      }
      client_meeting_months: {
        Row: {
          client_id: string
          closed_at: string
          closed_by: string | null
          first_day: string
          hash: string
          sheet: string
          time_zone: string
        }
        Insert: {
          client_id: string
          closed_at?: string
          closed_by?: string | null
          first_day: string
          hash: string
          sheet: string
          time_zone: string
        }
        Update: {
          client_id?: string
          closed_at?: string
          closed_by?: string | null
          first_day?: string
          hash?: string
          sheet?: string
          time_zone?: string
        }
        Relationships: [
          {
            foreignKeyName: "client_meeting_months_client_id_fkey"
            columns: ["client_id"]
            isOneToOne: false
            referencedRelation: "clients"
            referencedColumns: ["id"]
          },
        ]
      }
      client_meeting_results: {
        Row: {
          amount: number | null
          client_id: string
          created_at: string
          meeting_id: string
          number: number
          reason: string
          reported_by: string | null
          status: string
        }
        Insert: {
          amount?: number | null
          client_id: string
          created_at?: string
          meeting_id: string
          number: number
          reason?: string
          reported_by?: string | null
          status: string
        }
        Update: {
          amount?: number | null
          client_id?: string
          created_at?: string
          meeting_id?: string
          number?: number
          reason?: string
          reported_by?: string | null
          status?: string
        }
        Relationships: [
          {
            foreignKeyName: "client_meeting_results_client_id_meeting_id_fkey"
            columns: ["client_id", "meeting_id"]
            isOneToOne: false
            referencedRelation: "client_meetings"
            referencedColumns: ["client_id", "id"]
          },
        ]
      }
      client_meetings: {
        Row: {
          answer: string | null
          answer_until: string | null
          answered_at: string | null
          answered_by: string | null
          batch_id: string | null
          booked_on: string
          campaign_id: string | null
          client_id: string
          company_size: number | null
          country: string
          created_at: string
          criterion: string | null
          evidence: string
          id: string
          is_customer: boolean | null
          lead_id: string | null
          met_with: string
          minutes: number | null
          origin: string
          outcome: string
          reason: string
          recorded_by: string | null
          role: string
          starts_at: string | null
        }
        Insert: {
          answer?: string | null
          answer_until?: string | null
          answered_at?: string | null
          answered_by?: string | null
          batch_id?: string | null
          booked_on?: string
          campaign_id?: string | null
          client_id: string
          company_size?: number | null
          country?: string
          created_at?: string
          criterion?: string | null
          evidence?: string
          id?: string
          is_customer?: boolean | null
          lead_id?: string | null
          met_with: string
          minutes?: number | null
          origin?: string
          outcome: string
          reason?: string
          recorded_by?: string | null
          role?: string
          starts_at?: string | null
        }
        Update: {
          answer?: string | null
          answer_until?: string | null
          answered_at?: string | null
          answered_by?: string | null
          batch_id?: string | null
          booked_on?: string
          campaign_id?: string | null
          client_id?: string
          company_size?: number | null
          country?: string
          created_at?: string
          criterion?: string | null
          evidence?: string
          id?: string
          is_customer?: boolean | null
          lead_id?: string | null
          met_with?: string
          minutes?: number | null
          origin?: string
          outcome?: string
          reason?: string
          recorded_by?: string | null
          role?: string
          starts_at?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "client_meetings_client_id_campaign_id_fkey"
            columns: ["client_id", "campaign_id"]
            isOneToOne: false
            referencedRelation: "campaigns"
            referencedColumns: ["client_id", "id"]
          },
          {
            foreignKeyName: "client_meetings_client_id_lead_id_fkey"
            columns: ["client_id", "lead_id"]
            isOneToOne: false
            referencedRelation: "client_leads"
            referencedColumns: ["client_id", "id"]
          },
          {
            foreignKeyName: "client_meetings_client_id_fkey"
            columns: ["client_id"]
            isOneToOne: false
            referencedRelation: "clients"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "client_meetings_client_id_batch_id_fkey"
            columns: ["client_id", "batch_id"]
            isOneToOne: false
            referencedRelation: "import_batches"
            referencedColumns: ["client_id", "id"]
          },
        ]
      }
      client_members: {
        Row: {
          client_id: string
          created_at: string
          kind: string
          notifications: string[]
          user_id: string
        }
        Insert: {
          client_id: string
          created_at?: string
          kind?: string
          notifications?: string[]
          user_id: string
        }
        Update: {
          client_id?: string
          created_at?: string
          kind?: string
          notifications?: string[]
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "client_members_client_id_fkey"
            columns: ["client_id"]
            isOneToOne: false
            referencedRelation: "clients"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "client_members_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "user_roles"
            referencedColumns: ["user_id"]
          },
        ]
      }
      client_notes: {
        Row: {
          client_id: string
          created_at: string
          id: string
          text: string
          written_by: string | null
        }
        Insert: {
          client_id: string
          created_at?: string
          id?: string
          text: string
          written_by?: string | null
        }
        Update: {
          client_id?: string
          created_at?: string
          id?: string
          text?: string
          written_by?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "client_notes_client_id_fkey"
            columns: ["client_id"]
            isOneToOne: false
            referencedRelation: "clients"
            referencedColumns: ["id"]
          },
        ]
      }
      client_reads: {
        Row: {
          client_id: string
          first_at: string
          item_id: string
          kind: string
          last_at: string
          user_id: string
        }
        Insert: {
          client_id: string
          first_at?: string
          item_id: string
          kind: string
          last_at?: string
          user_id: string
        }
        Update: {
          client_id?: string
          first_at?: string
          item_id?: string
          kind?: string
          last_at?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "client_reads_client_id_user_id_fkey"
            columns: ["client_id", "user_id"]
            isOneToOne: false
            referencedRelation: "client_members"
            referencedColumns: ["client_id", "user_id"]
          },
        ]
      }
      client_reports: {
        Row: {
          approved_by: string | null
          client_id: string
          corrects: string | null
          created_at: string
          decisions: Json | null
          discarded_at: string | null
          figures: Json
          first_day: string
          hash: string | null
          id: string
          last_day: string
          previous_hash: string | null
          sent_at: string | null
          span: string
          summary: string
        }
        Insert: {
          approved_by?: string | null
          client_id: string
          corrects?: string | null
          created_at?: string
          decisions?: Json | null
          discarded_at?: string | null
          figures: Json
          first_day: string
          hash?: string | null
          id?: string
          last_day: string
          previous_hash?: string | null
          sent_at?: string | null
          span: string
          summary?: string
        }
        Update: {
          approved_by?: string | null
          client_id?: string
          corrects?: string | null
          created_at?: string
          decisions?: Json | null
          discarded_at?: string | null
          figures?: Json
          first_day?: string
          hash?: string | null
          id?: string
          last_day?: string
          previous_hash?: string | null
          sent_at?: string | null
          span?: string
          summary?: string
        }
        Relationships: [
          {
            foreignKeyName: "client_reports_client_id_corrects_fkey"
            columns: ["client_id", "corrects"]
            isOneToOne: false
            referencedRelation: "client_reports"
            referencedColumns: ["client_id", "id"]
          },
          {
            foreignKeyName: "client_reports_client_id_fkey"
            columns: ["client_id"]
            isOneToOne: false
            referencedRelation: "clients"
            referencedColumns: ["id"]
          },
        ]
      }
      client_webhook_deliveries: {
        Row: {
          attempts: number
          client_id: string
          created_at: string
          ended_at: string | null
          event: string
          id: number
          last_error: string | null
          lead_id: string | null
          next_attempt_at: string
          payload: Json
          response: string
          response_status: number | null
          status: string
        }
        Insert: {
          attempts?: number
          client_id: string
          created_at?: string
          ended_at?: string | null
          event: string
          id?: never
          last_error?: string | null
          lead_id?: string | null
          next_attempt_at?: string
          payload: Json
          response?: string
          response_status?: number | null
          status?: string
        }
        Update: {
          attempts?: number
          client_id?: string
          created_at?: string
          ended_at?: string | null
          event?: string
          id?: never
          last_error?: string | null
          lead_id?: string | null
          next_attempt_at?: string
          payload?: Json
          response?: string
          response_status?: number | null
          status?: string
        }
        Relationships: [
          {
            foreignKeyName: "client_webhook_deliveries_client_id_lead_id_fkey"
            columns: ["client_id", "lead_id"]
            isOneToOne: false
            referencedRelation: "client_leads"
            referencedColumns: ["client_id", "id"]
          },
          {
            foreignKeyName: "client_webhook_deliveries_client_id_fkey"
            columns: ["client_id"]
            isOneToOne: false
            referencedRelation: "clients"
            referencedColumns: ["id"]
          },
        ]
      }
      clients: {
        Row: {
          changed_by: string | null
          created_at: string
          currency: string
          delivered_goal: number | null
          domain: string
          first_weekday: number
          id: string
          is_sample: boolean
          lead_months: number
          logo: string | null
          meetings_goal: number | null
          name: string
          replies_goal: number | null
          report_hour: number
          report_weekday: number | null
          time_zone: string
          updated_at: string
        }
        Insert: {
          changed_by?: string | null
          created_at?: string
          currency?: string
          delivered_goal?: number | null
          domain?: string
          first_weekday?: number
          id?: string
          is_sample?: boolean
          lead_months?: number
          logo?: string | null
          meetings_goal?: number | null
          name: string
          replies_goal?: number | null
          report_hour?: number
          report_weekday?: number | null
          time_zone?: string
          updated_at?: string
        }
        Update: {
          changed_by?: string | null
          created_at?: string
          currency?: string
          delivered_goal?: number | null
          domain?: string
          first_weekday?: number
          id?: string
          is_sample?: boolean
          lead_months?: number
          logo?: string | null
          meetings_goal?: number | null
          name?: string
          replies_goal?: number | null
          report_hour?: number
          report_weekday?: number | null
          time_zone?: string
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: "clients_id_logo_fkey"
            columns: ["id", "logo"]
            isOneToOne: false
            referencedRelation: "client_files"
            referencedColumns: ["client_id", "object_name"]
          },
        ]
      }
      content_versions: {
        Row: {
          action: string
          author_id: string | null
          changes: string[]
          created_at: string
          data: Json
          id: number
          item_id: string
          kind: string
        }
        Insert: {
          action: string
          author_id?: string | null
          changes?: string[]
          created_at?: string
          data: Json
          id?: never
          item_id: string
          kind: string
        }
        Update: {
          action?: string
          author_id?: string | null
          changes?: string[]
          created_at?: string
          data?: Json
          id?: never
          item_id?: string
          kind?: string
        }
        Relationships: []
      }
      conversations: {
        Row: {
          content_bytes: number
          created_at: string
          id: string
          last_message_at: string
          message_count: number
        }
        Insert: {
          content_bytes?: number
          created_at?: string
          id?: string
          last_message_at?: string
          message_count?: number
        }
        Update: {
          content_bytes?: number
          created_at?: string
          id?: string
          last_message_at?: string
          message_count?: number
        }
        Relationships: []
      }
      deleted_content: {
        Row: {
          data: Json
          deleted_at: string
          deleted_by: string | null
          item_id: string
          kind: string
          title: string
        }
        Insert: {
          data: Json
          deleted_at?: string
          deleted_by?: string | null
          item_id: string
          kind: string
          title: string
        }
        Update: {
          data?: Json
          deleted_at?: string
          deleted_by?: string | null
          item_id?: string
          kind?: string
          title?: string
        }
        Relationships: []
      }
      do_not_contact: {
        Row: {
          added_by: string | null
          client_id: string
          created_at: string
          hint: string
          id: string
          kind: string
          value: string
        }
        Insert: {
          added_by?: string | null
          client_id: string
          created_at?: string
          hint: string
          id?: string
          kind: string
          value: string
        }
        Update: {
          added_by?: string | null
          client_id?: string
          created_at?: string
          hint?: string
          id?: string
          kind?: string
          value?: string
        }
        Relationships: [
          {
            foreignKeyName: "do_not_contact_client_id_fkey"
            columns: ["client_id"]
            isOneToOne: false
            referencedRelation: "clients"
            referencedColumns: ["id"]
          },
        ]
      }
      editing: {
        Row: {
          item_id: string
          kind: string
          seen_at: string
          user_id: string
        }
        Insert: {
          item_id: string
          kind: string
          seen_at?: string
          user_id: string
        }
        Update: {
          item_id?: string
          kind?: string
          seen_at?: string
          user_id?: string
        }
        Relationships: []
      }
      faq: {
        Row: {
          answer: string
          created_at: string
          display_order: number
          id: string
          question: string
          status: string
          updated_at: string
        }
        Insert: {
          answer?: string
          created_at?: string
          display_order?: number
          id?: string
          question: string
          status?: string
          updated_at?: string
        }
        Update: {
          answer?: string
          created_at?: string
          display_order?: number
          id?: string
          question?: string
          status?: string
          updated_at?: string
        }
        Relationships: []
      }
      figure_quotes: {
        Row: {
          answer: string | null
          answered_at: string | null
          answered_by: string | null
          asked_at: string
          asked_by: string | null
          client_id: string
          ended_at: string | null
          first_day: string
          id: string
          last_day: string
          metric: string
          project_id: string
          withdrawn_at: string | null
          withdrawn_by: string | null
        }
        Insert: {
          answer?: string | null
          answered_at?: string | null
          answered_by?: string | null
          asked_at?: string
          asked_by?: string | null
          client_id: string
          ended_at?: string | null
          first_day: string
          id?: string
          last_day: string
          metric: string
          project_id: string
          withdrawn_at?: string | null
          withdrawn_by?: string | null
        }
        Update: {
          answer?: string | null
          answered_at?: string | null
          answered_by?: string | null
          asked_at?: string
          asked_by?: string | null
          client_id?: string
          ended_at?: string | null
          first_day?: string
          id?: string
          last_day?: string
          metric?: string
          project_id?: string
          withdrawn_at?: string | null
          withdrawn_by?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "figure_quotes_client_id_fkey"
            columns: ["client_id"]
            isOneToOne: false
            referencedRelation: "clients"
            referencedColumns: ["id"]
          },
        ]
      }
      import_batches: {
        Row: {
          changed_count: number
          client_id: string
          column_map: Json
          created_at: string
          file_hash: string | null
          file_name: string
          id: string
          imported_by: string | null
          new_count: number
          refused_count: number
          same_count: number
          source_id: string | null
          undone_at: string | null
          undone_by: string | null
        }
        Insert: {
          changed_count: number
          client_id: string
          column_map: Json
          created_at?: string
          file_hash?: string | null
          file_name: string
          id?: string
          imported_by?: string | null
          new_count: number
          refused_count: number
          same_count: number
          source_id?: string | null
          undone_at?: string | null
          undone_by?: string | null
        }
        Update: {
          changed_count?: number
          client_id?: string
          column_map?: Json
          created_at?: string
          file_hash?: string | null
          file_name?: string
          id?: string
          imported_by?: string | null
          new_count?: number
          refused_count?: number
          same_count?: number
          source_id?: string | null
          undone_at?: string | null
          undone_by?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "import_batches_client_id_source_id_fkey"
            columns: ["client_id", "source_id"]
            isOneToOne: false
            referencedRelation: "campaign_sources"
            referencedColumns: ["client_id", "id"]
          },
          {
            foreignKeyName: "import_batches_client_id_fkey"
            columns: ["client_id"]
            isOneToOne: false
            referencedRelation: "clients"
            referencedColumns: ["id"]
          },
        ]
      }
      inbound_events: {
        Row: {
          approval_id: string | null
          client_id: string
          day: string
          event_key: string
          happened_at: string
          hint: string
          kind: string
          metric: string | null
          person_hash: string | null
          raw: Json | null
          received_at: string
          recipient: string | null
          reply: Json | null
          source_id: string
          state: string
          step: number | null
          version_number: number | null
        }
        Insert: {
          approval_id?: string | null
          client_id: string
          day: string
          event_key: string
          happened_at: string
          hint?: string
          kind: string
          metric?: string | null
          person_hash?: string | null
          raw?: Json | null
          received_at?: string
          recipient?: string | null
          reply?: Json | null
          source_id: string
          state: string
          step?: number | null
          version_number?: number | null
        }
        Update: {
          approval_id?: string | null
          client_id?: string
          day?: string
          event_key?: string
          happened_at?: string
          hint?: string
          kind?: string
          metric?: string | null
          person_hash?: string | null
          raw?: Json | null
          received_at?: string
          recipient?: string | null
          reply?: Json | null
          source_id?: string
          state?: string
          step?: number | null
          version_number?: number | null
        }
        Relationships: [
          {
            foreignKeyName: "inbound_events_client_id_approval_id_version_number_fkey"
            columns: ["client_id", "approval_id", "version_number"]
            isOneToOne: false
            referencedRelation: "approval_versions"
            referencedColumns: ["client_id", "approval_id", "number"]
          },
          {
            foreignKeyName: "inbound_events_client_id_source_id_fkey"
            columns: ["client_id", "source_id"]
            isOneToOne: false
            referencedRelation: "campaign_sources"
            referencedColumns: ["client_id", "id"]
          },
        ]
      }
      lead_webhook_deliveries: {
        Row: {
          attempts: number
          created_at: string
          ended_at: string | null
          id: number
          last_error: string | null
          lead_id: string | null
          next_attempt_at: string
          response_status: number | null
          status: string
        }
        Insert: {
          attempts?: number
          created_at?: string
          ended_at?: string | null
          id?: never
          last_error?: string | null
          lead_id?: string | null
          next_attempt_at?: string
          response_status?: number | null
          status?: string
        }
        Update: {
          attempts?: number
          created_at?: string
          ended_at?: string | null
          id?: never
          last_error?: string | null
          lead_id?: string | null
          next_attempt_at?: string
          response_status?: number | null
          status?: string
        }
        Relationships: [
          {
            foreignKeyName: "lead_webhook_deliveries_lead_id_fkey"
            columns: ["lead_id"]
            isOneToOne: false
            referencedRelation: "leads"
            referencedColumns: ["id"]
          },
        ]
      }
      leads: {
        Row: {
          call_time: string
          changed_by: string | null
          conversation_id: string | null
          created_at: string
          email: string
          id: string
          message: string
          name: string
          note: string
          owner_id: string | null
          page: string
          phone: string
          search_text: string | null
          service: string
          source: string
          status: string
          updated_at: string
        }
        Insert: {
          call_time?: string
          changed_by?: string | null
          conversation_id?: string | null
          created_at?: string
          email?: string
          id?: string
          message?: string
          name?: string
          note?: string
          owner_id?: string | null
          page?: string
          phone?: string
          search_text?: never
          service?: string
          source: string
          status?: string
          updated_at?: string
        }
        Update: {
          call_time?: string
          changed_by?: string | null
          conversation_id?: string | null
          created_at?: string
          email?: string
          id?: string
          message?: string
          name?: string
          note?: string
          owner_id?: string | null
          page?: string
          phone?: string
          search_text?: never
          service?: string
          source?: string
          status?: string
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: "leads_conversation_id_fkey"
            columns: ["conversation_id"]
            isOneToOne: false
            referencedRelation: "conversations"
            referencedColumns: ["id"]
          },
        ]
      }
      library_texts: {
        Row: {
          body: string
          changed_at: string
          changed_by: string | null
          created_at: string
          created_by: string | null
          id: string
          note: string
          origin_id: string | null
          subject: string
          title: string
        }
        Insert: {
          body: string
          changed_at?: string
          changed_by?: string | null
          created_at?: string
          created_by?: string | null
          id?: string
          note?: string
          origin_id?: string | null
          subject?: string
          title: string
        }
        Update: {
          body?: string
          changed_at?: string
          changed_by?: string | null
          created_at?: string
          created_by?: string | null
          id?: string
          note?: string
          origin_id?: string | null
          subject?: string
          title?: string
        }
        Relationships: [
          {
            foreignKeyName: "library_texts_origin_id_fkey"
            columns: ["origin_id"]
            isOneToOne: false
            referencedRelation: "clients"
            referencedColumns: ["id"]
          },
        ]
      }
      newsletter_subscribers: {
        Row: {
          confirm_token_hash: string | null
          confirmed_at: string | null
          created_at: string
          email: string
          id: string
          requested_at: string
        }
        Insert: {
          confirm_token_hash?: string | null
          confirmed_at?: string | null
          created_at?: string
          email: string
          id?: string
          requested_at?: string
        }
        Update: {
          confirm_token_hash?: string | null
          confirmed_at?: string | null
          created_at?: string
          email?: string
          id?: string
          requested_at?: string
        }
        Relationships: []
      }
      page_content: {
        Row: {
          content: string
          content_type: string
          created_at: string
          id: string
          page_slug: string
          section_name: string
          updated_at: string
        }
        Insert: {
          content?: string
          content_type?: string
          created_at?: string
          id?: string
          page_slug: string
          section_name: string
          updated_at?: string
        }
        Update: {
          content?: string
          content_type?: string
          created_at?: string
          id?: string
          page_slug?: string
          section_name?: string
          updated_at?: string
        }
        Relationships: []
      }
      people_log: {
        Row: {
          action: string
          actor_id: string | null
          at: string
          id: number
          person_id: string | null
          role: string | null
        }
        Insert: {
          action: string
          actor_id?: string | null
          at?: string
          id?: never
          person_id?: string | null
          role?: string | null
        }
        Update: {
          action?: string
          actor_id?: string | null
          at?: string
          id?: never
          person_id?: string | null
          role?: string | null
        }
        Relationships: []
      }
      posts: {
        Row: {
          category: string
          content: string
          created_at: string
          excerpt: string
          featured_image: string | null
          id: string
          published_date: string
          slug: string
          status: string
          title: string
          updated_at: string
        }
        Insert: {
          category?: string
          content?: string
          created_at?: string
          excerpt?: string
          featured_image?: string | null
          id?: string
          published_date?: string
          slug: string
          status?: string
          title: string
          updated_at?: string
        }
        Update: {
          category?: string
          content?: string
          created_at?: string
          excerpt?: string
          featured_image?: string | null
          id?: string
          published_date?: string
          slug?: string
          status?: string
          title?: string
          updated_at?: string
        }
        Relationships: []
      }
      preview_links: {
        Row: {
          as_of: string | null
          created_at: string
          created_by: string | null
          expires_at: string
          id: string
          item_id: string | null
          kind: string | null
          release_id: string | null
          revoked_at: string | null
          shows_drafts: boolean
          token_hash: string
        }
        Insert: {
          as_of?: string | null
          created_at?: string
          created_by?: string | null
          expires_at: string
          id?: string
          item_id?: string | null
          kind?: string | null
          release_id?: string | null
          revoked_at?: string | null
          shows_drafts?: boolean
          token_hash: string
        }
        Update: {
          as_of?: string | null
          created_at?: string
          created_by?: string | null
          expires_at?: string
          id?: string
          item_id?: string | null
          kind?: string | null
          release_id?: string | null
          revoked_at?: string | null
          shows_drafts?: boolean
          token_hash?: string
        }
        Relationships: [
          {
            foreignKeyName: "preview_links_release_id_fkey"
            columns: ["release_id"]
            isOneToOne: false
            referencedRelation: "releases"
            referencedColumns: ["id"]
          },
        ]
      }
      projects: {
        Row: {
          company: string
          created_at: string
          description: string
          display_order: number
          featured_image: string | null
          full_content: string
          gallery_images: Json
          id: string
          metric: string
          slug: string
          status: string
          title: string
          updated_at: string
        }
        Insert: {
          company?: string
          created_at?: string
          description?: string
          display_order?: number
          featured_image?: string | null
          full_content?: string
          gallery_images?: Json
          id?: string
          metric?: string
          slug: string
          status?: string
          title: string
          updated_at?: string
        }
        Update: {
          company?: string
          created_at?: string
          description?: string
          display_order?: number
          featured_image?: string | null
          full_content?: string
          gallery_images?: Json
          id?: string
          metric?: string
          slug?: string
          status?: string
          title?: string
          updated_at?: string
        }
        Relationships: []
      }
      registration_decisions: {
        Row: {
          approved: boolean
          decided_at: string
          decided_by: string | null
          email: string
          id: string
          registered_at: string | null
          revoked: boolean
          role: string
          user_id: string | null
          withdrawn_at: string | null
          withdrawn_by: string | null
        }
        Insert: {
          approved: boolean
          decided_at?: string
          decided_by?: string | null
          email?: string
          id?: string
          registered_at?: string | null
          revoked?: boolean
          role?: string
          user_id?: string | null
          withdrawn_at?: string | null
          withdrawn_by?: string | null
        }
        Update: {
          approved?: boolean
          decided_at?: string
          decided_by?: string | null
          email?: string
          id?: string
          registered_at?: string | null
          revoked?: boolean
          role?: string
          user_id?: string | null
          withdrawn_at?: string | null
          withdrawn_by?: string | null
        }
        Relationships: []
      }
      release_changes: {
        Row: {
          action: string
          after: Json | null
          base: Json | null
          before: Json | null
          changed_at: string
          changed_by: string | null
          data: Json | null
          id: string
          item_id: string
          kind: string
          release_id: string
        }
        Insert: {
          action: string
          after?: Json | null
          base?: Json | null
          before?: Json | null
          changed_at?: string
          changed_by?: string | null
          data?: Json | null
          id?: string
          item_id: string
          kind: string
          release_id: string
        }
        Update: {
          action?: string
          after?: Json | null
          base?: Json | null
          before?: Json | null
          changed_at?: string
          changed_by?: string | null
          data?: Json | null
          id?: string
          item_id?: string
          kind?: string
          release_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "release_changes_release_id_fkey"
            columns: ["release_id"]
            isOneToOne: false
            referencedRelation: "releases"
            referencedColumns: ["id"]
          },
        ]
      }
      releases: {
        Row: {
          created_at: string
          created_by: string | null
          failed_at: string | null
          failure: string | null
          id: string
          name: string
          publish_at: string | null
          published_at: string | null
          published_by: string | null
          scheduled_by: string | null
          updated_at: string
        }
        Insert: {
          created_at?: string
          created_by?: string | null
          failed_at?: string | null
          failure?: string | null
          id?: string
          name: string
          publish_at?: string | null
          published_at?: string | null
          published_by?: string | null
          scheduled_by?: string | null
          updated_at?: string
        }
        Update: {
          created_at?: string
          created_by?: string | null
          failed_at?: string | null
          failure?: string | null
          id?: string
          name?: string
          publish_at?: string | null
          published_at?: string | null
          published_by?: string | null
          scheduled_by?: string | null
          updated_at?: string
        }
        Relationships: []
      }
      reviews: {
        Row: {
          author_name: string
          author_role: string
          avatar_url: string | null
          company: string
          created_at: string
          display_order: number
          id: string
          quote: string
          rating: number
          status: string
          updated_at: string
        }
        Insert: {
          author_name: string
          author_role?: string
          avatar_url?: string | null
          company?: string
          created_at?: string
          display_order?: number
          id?: string
          quote?: string
          rating?: number
          status?: string
          updated_at?: string
        }
        Update: {
          author_name?: string
          author_role?: string
          avatar_url?: string | null
          company?: string
          created_at?: string
          display_order?: number
          id?: string
          quote?: string
          rating?: number
          status?: string
          updated_at?: string
        }
        Relationships: []
      }
      services: {
        Row: {
          created_at: string
          deliverables: string[]
          display_order: number
          icon_name: string | null
          id: string
          long_description: string
          pricing: string
          short_description: string
          slug: string
          status: string
          timeline: string
          title: string
          updated_at: string
        }
        Insert: {
          created_at?: string
          deliverables?: string[]
          display_order?: number
          icon_name?: string | null
          id?: string
          long_description?: string
          pricing?: string
          short_description?: string
          slug: string
          status?: string
          timeline?: string
          title: string
          updated_at?: string
        }
        Update: {
          created_at?: string
          deliverables?: string[]
          display_order?: number
          icon_name?: string | null
          id?: string
          long_description?: string
          pricing?: string
          short_description?: string
          slug?: string
          status?: string
          timeline?: string
          title?: string
          updated_at?: string
        }
        Relationships: []
      }
      site_settings: {
        Row: {
          created_at: string
          id: string
          setting_key: string
          setting_value: string
          updated_at: string
        }
        Insert: {
          created_at?: string
          id?: string
          setting_key: string
          setting_value?: string
          updated_at?: string
        }
        Update: {
          created_at?: string
          id?: string
          setting_key?: string
          setting_value?: string
          updated_at?: string
        }
        Relationships: []
      }
      slug_aliases: {
        Row: {
          created_at: string
          item_id: string
          kind: string
          slug: string
        }
        Insert: {
          created_at?: string
          item_id: string
          kind: string
          slug: string
        }
        Update: {
          created_at?: string
          item_id?: string
          kind?: string
          slug?: string
        }
        Relationships: []
      }
      source_totals: {
        Row: {
          added_by: string | null
          client_id: string
          created_at: string
          file_name: string
          first_day: string
          last_day: string
          metric: string
          source_id: string
          value: number
        }
        Insert: {
          added_by?: string | null
          client_id: string
          created_at?: string
          file_name: string
          first_day: string
          last_day: string
          metric: string
          source_id: string
          value: number
        }
        Update: {
          added_by?: string | null
          client_id?: string
          created_at?: string
          file_name?: string
          first_day?: string
          last_day?: string
          metric?: string
          source_id?: string
          value?: number
        }
        Relationships: [
          {
            foreignKeyName: "source_totals_client_id_source_id_fkey"
            columns: ["client_id", "source_id"]
            isOneToOne: false
            referencedRelation: "campaign_sources"
            referencedColumns: ["client_id", "id"]
          },
        ]
      }
      team_members: {
        Row: {
          avatar_url: string | null
          bio: string
          created_at: string
          display_order: number
          id: string
          name: string
          position: string
          social_links: Json
          status: string
          updated_at: string
        }
        Insert: {
          avatar_url?: string | null
          bio?: string
          created_at?: string
          display_order?: number
          id?: string
          name: string
          position?: string
          social_links?: Json
          status?: string
          updated_at?: string
        }
        Update: {
          avatar_url?: string | null
          bio?: string
          created_at?: string
          display_order?: number
          id?: string
          name?: string
          position?: string
          social_links?: Json
          status?: string
          updated_at?: string
        }
        Relationships: []
      }
      unanswered_questions: {
        Row: {
          conversation_id: string
          dismissed_at: string | null
          id: string
          question_hash: string
          reason: string
          recorded_at: string
        }
        Insert: {
          conversation_id: string
          dismissed_at?: string | null
          id?: string
          question_hash: string
          reason: string
          recorded_at?: string
        }
        Update: {
          conversation_id?: string
          dismissed_at?: string | null
          id?: string
          question_hash?: string
          reason?: string
          recorded_at?: string
        }
        Relationships: [
          {
            foreignKeyName: "unanswered_questions_conversation_id_fkey"
            columns: ["conversation_id"]
            isOneToOne: false
            referencedRelation: "conversations"
            referencedColumns: ["id"]
          },
        ]
      }
      user_roles: {
        Row: {
          approved: boolean
          created_at: string
          role: string
          user_id: string
        }
        Insert: {
          approved?: boolean
          created_at?: string
          role: string
          user_id: string
        }
        Update: {
          approved?: boolean
          created_at?: string
          role?: string
          user_id?: string
        }
        Relationships: []
      }
      visit_counts: {
        Row: {
          count: number
          day: string
          kind: string
          name: string
          read_seconds: number
          reads: number
        }
        Insert: {
          count: number
          day: string
          kind: string
          name: string
          read_seconds?: number
          reads?: number
        }
        Update: {
          count?: number
          day?: string
          kind?: string
          name?: string
          read_seconds?: number
          reads?: number
        }
        Relationships: []
      }
    }
    Views: { [_ in never]: never }
    Functions: {
      add_campaign_source: { Args: { _client_id: string; _campaign_id: string; _provider: string; _metrics: string[]; _external_id?: string; _secret?: string }; Returns: string }
      add_client_lead: { Args: { _client_id: string; _name: string; _email?: string; _company?: string; _title?: string; _words?: string; _campaign_id?: string }; Returns: string }
      add_client_member: { Args: { _client_id: string; _email: string; _kind?: string }; Returns: string }
      add_do_not_contact: { Args: { _client_id: string; _lines: Json; _is_dry_run: boolean }; Returns: Json }
      add_library_text: { Args: { _client_id: string; _approval_id: string; _title: string; _subject: string; _body: string; _note: string }; Returns: string }
      add_sample_client: { Args: never; Returns: string }
      add_visit_counts: { Args: { _counts: Json }; Returns: boolean }
      admin_needs_second_factor: { Args: never; Returns: boolean }
      announce_editing: { Args: { _kind: string; _item_id: string }; Returns: { name: string }[] }
      answer_client_meeting: { Args: { _client_id: string; _id: string; _outcome: string; _answer: string; _reason?: string; _criterion?: string }; Returns: undefined }
      answer_figure_quote: { Args: { _client_id: string; _id: string; _answer: string; _value: number }; Returns: undefined }
      approve_client_report: { Args: { _client_id: string; _id: string; _content_hash: string }; Returns: string }
      approve_team_member: { Args: { _user_id: string; _approved: boolean }; Returns: undefined }
      ask_for_approval: { Args: { _client_id: string; _title: string; _text: string; _due_on?: string; _approval_id?: string }; Returns: string }
      ask_for_criteria_approval: { Args: { _client_id: string; _title: string; _criteria: Json; _due_on?: string; _approval_id?: string }; Returns: string }
      ask_for_file_approval: { Args: { _client_id: string; _title: string; _text: string; _file_id: string; _due_on?: string; _approval_id?: string }; Returns: string }
      ask_for_list_approval: { Args: { _client_id: string; _title: string; _text: string; _rows: Json; _is_dry_run: boolean; _due_on?: string; _approval_id?: string; _restored_lines?: number[]; _file_sha256?: string }; Returns: Json }
      ask_to_quote_figure: { Args: { _project_id: string; _client_id: string; _metric: string; _first_day: string; _last_day: string }; Returns: string }
      book: { Args: { _starts_at: string; _name: string; _email: string; _phone?: string; _message?: string; _service?: string; _time_zone?: string }; Returns: Json }
      booking_feed_created_at: { Args: never; Returns: string }
      calendar_events: { Args: { _secret: string }; Returns: Json }
      can_restore_media: { Args: never; Returns: boolean }
      cancel_booking: { Args: { _token: string }; Returns: Json }
      cancel_booking_of_visitor: { Args: { _booking_id: string }; Returns: undefined }
      change_client_lead: { Args: { _client_id: string; _id: string; _expected_status: string; _status: string; _reason?: string }; Returns: undefined }
      change_lead_by_link: { Args: { _token: string; _holder: string; _expected_status: string; _status: string; _reason?: string }; Returns: string }
      check_client_reports: { Args: { _client_id: string }; Returns: { id: string; first_day: string; problem: string }[] }
      check_release: { Args: { _id: string }; Returns: { change_id: string; problem: string; sentence: string; fields: string[]; live: Json }[] }
      claim_chat_reply: { Args: { _address: string }; Returns: string }
      client_archive: { Args: { _client_id: string; _part: string; _offset?: number }; Returns: Json[] }
      client_changes: { Args: { _client_id: string; _from: string; _until: string }; Returns: { kind: string; name: string; detail: string; day: string }[] }
      client_funnel: { Args: { _client_id: string; _from: string; _until: string }; Returns: Json }
      client_home: { Args: { _client_id: string }; Returns: Json }
      client_imports: { Args: { _client_id: string }; Returns: { id: string; file_name: string; file_hash: string; column_map: Json; new_count: number; changed_count: number; same_count: number; refused_count: number; imported_by: string; created_at: string; undone_at: string }[] }
      client_lead: { Args: { _client_id: string; _id: string }; Returns: Json }
      client_people: { Args: { _client_id: string }; Returns: { id: string; name: string; email: string; is_team: boolean; kind: string; is_waiting: boolean; read_at: string }[] }
      client_report: { Args: { _id: string }; Returns: Json }
      client_webhook: { Args: { _client_id: string }; Returns: Json }
      close_meeting_month: { Args: { _client_id: string; _first_day: string }; Returns: string }
      comment_on_version: { Args: { _client_id: string; _approval_id: string; _number: number; _text: string; _quote?: string }; Returns: string }
      confirm_booking: { Args: { _token: string; _starts_at?: string }; Returns: Json }
      confirm_lead: { Args: { _token: string }; Returns: boolean }
      confirm_my_address: { Args: never; Returns: boolean }
      confirm_newsletter: { Args: { _token: string }; Returns: boolean }
      content_origins: { Args: never; Returns: { used_for: string; origin: string }[] }
      correct_client_report: { Args: { _client_id: string; _id: string }; Returns: string }
      count_asked_questions: { Args: { _days?: number }; Returns: { asked: number; answered: number; unanswered: number } }
      count_chats_mentioning: { Args: { _user_id: string }; Returns: number }
      count_leads_of: { Args: { _user_id: string }; Returns: number }
      count_pending_tasks: { Args: { _from: string; _to: string }; Returns: { leads: number; calls: number; releases: number; checks: number; registrations: number; has_questions: boolean } }
      create_preview_link: { Args: { _kind?: string; _item_id?: string; _shows_drafts?: boolean; _as_of?: string; _hours?: number; _release_id?: string }; Returns: Json }
      dead_links: { Args: { _origins: string[]; _pages: string[] }; Returns: { kind: string; item_id: string; title: string; status: string; address: string; fault: string; target_kind: string; target_id: string; total: number }[] }
      decide_approval: { Args: { _client_id: string; _approval_id: string; _number: number; _verdict: string; _comment?: string; _edited_text?: string }; Returns: undefined }
      decide_by_link: { Args: { _token: string; _holder: string; _verdict: string; _comment?: string; _edited_text?: string }; Returns: string }
      delete_campaign: { Args: { _client_id: string; _campaign_id: string }; Returns: undefined }
      delete_client_file: { Args: { _client_id: string; _file_id: string }; Returns: undefined }
      delete_media_permanently: { Args: { _ids: string[] }; Returns: number }
      delete_my_account: { Args: never; Returns: undefined }
      delete_permanently: { Args: { _kind: string; _item_ids: string[] }; Returns: number }
      delete_person: { Args: { _user_id: string }; Returns: undefined }
      deleted_media: { Args: { _search?: string; _limit?: number; _offset?: number }; Returns: { id: string; name: string; original_name: string; mimetype: string; size: number; deleted_by: string; deleted_at: string; total: number }[] }
      discard_client_report: { Args: { _client_id: string; _id: string }; Returns: undefined }
      dismiss_failed_mail: { Args: { _id: number }; Returns: undefined }
      dismiss_unanswered_questions: { Args: { _ids: string[]; _dismissed: boolean }; Returns: undefined }
      editor_names: { Args: { _user_ids: string[] }; Returns: { user_id: string; name: string }[] }
      end_booking_feed: { Args: never; Returns: undefined }
      end_campaign_source: { Args: { _client_id: string; _id: string }; Returns: undefined }
      end_figure_quote: { Args: { _project_id: string }; Returns: undefined }
      end_my_other_sessions: { Args: never; Returns: undefined }
      end_my_session: { Args: { _session_id: string }; Returns: undefined }
      end_person_sessions: { Args: { _user_id: string }; Returns: undefined }
      export_newsletter: { Args: never; Returns: { email: string; confirmed_at: string; unsubscribe_token: string }[] }
      export_person: { Args: { _user_id: string }; Returns: Json }
      figure_details: { Args: { _client_id: string; _metric: string; _from: string; _until: string }; Returns: Json }
      figure_events: { Args: { _client_id: string; _batch_id: string; _metric: string; _day: string; _limit?: number; _offset?: number }; Returns: { happened_at: string; kind: string; hint: string; total: number }[] }
      figure_sums: { Args: { _client_id: string; _from: string; _until: string; _metrics?: string[] }; Returns: { metric: string; first_day: string; last_day: string; value: number }[] }
      figure_totals: { Args: { _from: string; _until: string }; Returns: Json }
      find_conversations: { Args: { _search: string; _limit?: number; _offset?: number }; Returns: { id: string; created_at: string; last_message_at: string; message_count: number; excerpt: string; total: number }[] }
      find_do_not_contact: { Args: { _client_id: string; _text: string }; Returns: { id: string; kind: string; hint: string; created_at: string }[] }
      find_media: { Args: { _sha256: string }; Returns: { name: string; original_name: string; mimetype: string; folder: string; created_at: string }[] }
      forged_chat_replies: { Args: { _conversation_id: string }; Returns: string[] }
      free_slots: { Args: { _from: string; _to: string }; Returns: { starts_at: string; ends_at: string }[] }
      has_chat_lead: { Args: never; Returns: boolean }
      hold_booking: { Args: { _starts_at: string; _name: string; _email: string; _phone?: string; _message?: string; _service?: string; _time_zone?: string }; Returns: Json }
      hold_lead: { Args: { _source: string; _email: string; _name?: string; _phone?: string; _call_time?: string; _message?: string; _page?: string; _service?: string; _website?: string }; Returns: undefined }
      import_figures: { Args: { _client_id: string; _file: Json; _rows: Json; _is_dry_run: boolean }; Returns: Json }
      import_posts: { Args: { _posts: Json }; Returns: { post_id: string; post_slug: string }[] }
      invite_person: { Args: { _email: string; _role: string }; Returns: boolean }
      lead_owners: { Args: never; Returns: { id: string; name: string }[] }
      lead_webhook_secret: { Args: never; Returns: string }
      list_approval_rows: { Args: { _client_id: string; _approval_id: string; _number: number; _search?: string; _only_vetoed?: boolean; _limit?: number; _offset?: number }; Returns: { line: number; company: string; domain: string; person: string; note: string; hint: string; is_vetoed: boolean; company_rows: number; total: number }[] }
      list_approval_versions: { Args: { _client_id: string; _approval_id: string }; Returns: { number: number; title: string; text: string; is_client_edit: boolean; created_at: string; file: Json; verdict: string; comment: string; decided_by: string; decided_at: string; text_sha256: string; file_sha256: string }[] }
      list_approvals: { Args: { _client_id: string; _limit?: number; _offset?: number }; Returns: { id: string; kind: string; title: string; number: number; text: string; former_text: string; is_client_edit: boolean; row_count: number; veto_count: number; file: Json; comment_count: number; due_on: string; asked_by: string; asked_at: string; verdict: string; comment: string; decided_by: string; decided_at: string; may_withdraw: boolean; waiting: number; total: number; list_sha256: string }[] }
      list_approved_lines: { Args: { _client_id: string; _approval_id: string; _number: number }; Returns: { file_sha256: string; lines: number[] } }
      list_asked_questions: { Args: { _search?: string; _before?: string; _limit?: number }; Returns: { id: string; conversation_id: string; question: string; asked_at: string; reason: string; source_titles: string[]; source_urls: string[] }[] }
      list_campaign_lists: { Args: { _client_id: string; _campaign_id: string }; Returns: { id: string; title: string; number: number; row_count: number; is_used: boolean }[] }
      list_campaign_sources: { Args: { _client_id: string }; Returns: { id: string; campaign_id: string; campaign: string; provider: string; external_id: string; has_secret: boolean; metrics: string[]; counts_from: string; ends_on: string; created_at: string; latest_at: string; not_counted: Json }[] }
      list_campaign_texts: { Args: { _client_id: string; _campaign_id: string }; Returns: { id: string; title: string; is_approved: boolean; is_sent: boolean; step: number }[] }
      list_campaign_versions: { Args: { _client_id: string; _campaign_id: string }; Returns: { number: number; action: string; campaign: Json; changed_by: string; created_at: string }[] }
      list_categories: { Args: { _kind: string }; Returns: string[] }
      list_client_fees: { Args: { _client_id: string }; Returns: { number: number; first_month: string; amount: number; set_by: string; created_at: string }[] }
      list_client_leads: { Args: { _client_id: string; _search?: string; _status?: string; _limit?: number; _offset?: number }; Returns: Json }
      list_client_meetings: { Args: { _client_id: string; _limit?: number; _offset?: number; _id?: string }; Returns: { id: string; starts_at: string; met_with: string; outcome: string; evidence: string; answer_until: string; answer: string; reason: string; answered_by: string; answered_at: string; is_open: boolean; waiting: number; total: number; campaign_id: string; campaign: string; booked_on: string; origin: string; details: Json }[] }
      list_client_notes: { Args: { _client_id: string; _limit?: number; _offset?: number }; Returns: { id: string; text: string; written_by: string; created_at: string; may_delete: boolean; total: number }[] }
      list_comments: { Args: { _client_id: string; _approval_id: string }; Returns: { id: string; number: number; quote: string; text: string; written_by: string; is_team: boolean; created_at: string }[] }
      list_do_not_contact: { Args: { _client_id: string; _limit?: number; _offset?: number }; Returns: { id: string; kind: string; hint: string; added_by: string; created_at: string; may_remove: boolean; total: number }[] }
      list_editing: { Args: { _kind: string }; Returns: { item_id: string; name: string }[] }
      list_exposed_objects: { Args: never; Returns: Json }
      list_failed_mails: { Args: never; Returns: { id: number; recipient: string; template: string; reason: string; failed_at: string }[] }
      list_figure_quotes: { Args: { _client_id: string }; Returns: { id: string; words: string; value: number; title: string; path: string; asked_at: string; answer: string; answered_by: string; answered_at: string; withdrawn_at: string }[] }
      list_funnel_items: { Args: { _client_id: string; _from: string; _until: string; _step: string; _limit?: number; _offset?: number }; Returns: { id: string; name: string; at: string; day: string; status: string; result: string; amount: number; lead_id: string; lead: string; total: number }[] }
      list_library_texts: { Args: { _search?: string; _limit?: number; _offset?: number }; Returns: { id: string; title: string; subject: string; body: string; note: string; changed_by: string; changed_at: string; total: number }[] }
      list_meeting_months: { Args: { _client_id: string }; Returns: Json }
      list_people: { Args: { _search?: string; _status?: string; _limit?: number; _offset?: number }; Returns: { id: string; email: string; name: string; status: string; created_at: string; last_sign_in_at: string; invited: boolean; factors: number; sessions: number; total: number }[] }
      list_preview_links: { Args: never; Returns: { id: string; token: string; kind: string; item_id: string; title: string; release: string; shows_drafts: boolean; as_of: string; created_by_email: string; created_at: string; expires_at: string }[] }
      list_rows_by_link: { Args: { _token: string; _holder: string; _search?: string; _only_vetoed?: boolean; _limit?: number; _offset?: number }; Returns: { line: number; company: string; domain: string; person: string; note: string; hint: string; is_vetoed: boolean; company_rows: number; total: number }[] }
      list_unanswered_questions: { Args: never; Returns: { id: string; conversation_id: string; question: string; reason: string; asked_at: string }[] }
      make_admin: { Args: { _user_id: string }; Returns: undefined }
      make_booking_feed: { Args: never; Returns: string }
      make_captcha_proof: { Args: never; Returns: string }
      make_client: { Args: { _user_id: string }; Returns: undefined }
      media_folders: { Args: never; Returns: string[] }
      media_library: { Args: { _search?: string; _kind?: string; _limit?: number; _offset?: number; _folder?: string; _unused?: boolean }; Returns: { id: string; name: string; original_name: string; mimetype: string; size: number; width: number; height: number; alt: string; folder: string; focal_x: number; focal_y: number; is_used: boolean; created_at: string; updated_at: string; total: number }[] }
      media_original: { Args: { _name: string }; Returns: { name: string; size: number }[] }
      media_usage: { Args: { _name: string }; Returns: { kind: string; id: string; title: string }[] }
      move_booking: { Args: { _token: string; _starts_at: string }; Returns: Json }
      move_media: { Args: { _names: string[]; _folder: string }; Returns: number }
      my_calls: { Args: never; Returns: { id: string; starts_at: string; ends_at: string; service: string }[] }
      my_data: { Args: never; Returns: Json }
      my_sessions: { Args: never; Returns: { id: string; created_at: string; last_active_at: string; user_agent: string; ip_address: string; is_current: boolean }[] }
      news_categories: { Args: never; Returns: { category: string; posts: number }[] }
      open_approval_link: { Args: { _token: string; _holder: string }; Returns: Json }
      open_campaign_source: { Args: { _token_hash: string; _secret_hash: string }; Returns: Json }
      open_lead_link: { Args: { _token: string; _holder: string }; Returns: Json }
      open_preview: { Args: { _token: string }; Returns: Json }
      open_result_link: { Args: { _token: string; _holder: string }; Returns: Json }
      picture_facts: { Args: { _names: string[] }; Returns: { name: string; width: number; height: number; alt: string; focal_x: number; focal_y: number }[] }
      preview_faq: { Args: never; Returns: Database['public']['Tables']["faq"]['Row'][] }
      preview_page_content: { Args: never; Returns: Database['public']['Tables']["page_content"]['Row'][] }
      preview_posts: { Args: never; Returns: Database['public']['Tables']["posts"]['Row'][] }
      preview_projects: { Args: never; Returns: Database['public']['Tables']["projects"]['Row'][] }
      preview_reviews: { Args: never; Returns: Database['public']['Tables']["reviews"]['Row'][] }
      preview_services: { Args: never; Returns: Database['public']['Tables']["services"]['Row'][] }
      preview_site_settings: { Args: never; Returns: Database['public']['Tables']["site_settings"]['Row'][] }
      preview_state: { Args: never; Returns: Json }
      preview_team_members: { Args: never; Returns: Database['public']['Tables']["team_members"]['Row'][] }
      publish_release: { Args: { _id: string }; Returns: undefined }
      published_content: { Args: never; Returns: { kind: string; title: string; public_path: string; text_columns: string[]; item: Json }[] }
      quote_of_project: { Args: { _project_id: string }; Returns: Json }
      read_booking: { Args: { _token: string }; Returns: Json }
      read_person: { Args: { _user_id: string }; Returns: Json }
      record_chat_reply: { Args: { _conversation_id: string; _hashes: string[] }; Returns: undefined }
      record_check_results: { Args: { _results: Json }; Returns: undefined }
      record_client_read: { Args: { _client_id: string; _approval_ids?: string[]; _report_ids?: string[] }; Returns: undefined }
      record_unanswered_question: { Args: { _conversation_id: string; _hash: string; _reason: string }; Returns: undefined }
      register_with_role: { Args: { _user_id: string; _role: string }; Returns: undefined }
      registration_declined: { Args: never; Returns: boolean }
      release_chat_reply: { Args: { _address: string }; Returns: undefined }
      renew_client_webhook_secret: { Args: { _client_id: string }; Returns: undefined }
      renew_lead_webhook_secret: { Args: never; Returns: string }
      reorder_items: { Args: { _table: string; _ids: string[] }; Returns: undefined }
      replace_media: { Args: { _name: string; _by: string }; Returns: number }
      report_meeting_result: { Args: { _client_id: string; _meeting_id: string; _expected_number: number; _status: string; _amount?: number; _reason?: string }; Returns: undefined }
      report_result_by_link: { Args: { _token: string; _holder: string; _expected_number: number; _status: string; _amount?: number; _reason?: string }; Returns: string }
      report_visits: { Args: never; Returns: Json }
      reset_person_factors: { Args: { _user_id: string }; Returns: undefined }
      resolve_client_alarm: { Args: { _client_id: string; _id: string }; Returns: undefined }
      resolve_release_conflict: { Args: { _change_id: string; _keep: string; _expected_updated_at?: string }; Returns: undefined }
      restore_campaign: { Args: { _client_id: string; _campaign_id: string }; Returns: undefined }
      restore_item: { Args: { _kind: string; _item_id: string }; Returns: string }
      restore_media: { Args: { _id: string }; Returns: string }
      restore_team_member: { Args: { _user_id: string }; Returns: boolean }
      revoke_access: { Args: { _user_id: string }; Returns: undefined }
      revoke_preview_link: { Args: { _id: string }; Returns: undefined }
      rotate_campaign_source: { Args: { _client_id: string; _id: string; _secret?: string }; Returns: string }
      save_availability: { Args: { _hours: Json; _time_zone: string; _notice_minutes: number; _days_ahead: number; _length_minutes: number; _place: string }; Returns: undefined }
      save_client_meeting: { Args: { _client_id: string; _starts_at: string; _met_with: string; _outcome: string; _evidence?: string; _id?: string; _campaign_id?: string; _booked_on?: string; _facts?: Json; _lead_id?: string }; Returns: string }
      save_client_webhook: { Args: { _client_id: string; _url: string }; Returns: undefined }
      save_library_text: { Args: { _id: string; _read_at: string; _title: string; _subject: string; _body: string; _note: string }; Returns: undefined }
      save_report_summary: { Args: { _client_id: string; _id: string; _summary: string; _expected_summary: string }; Returns: undefined }
      save_to_release: { Args: { _kind: string; _item_id: string; _action: string; _data?: Json; _base?: Json; _release_id?: string; _name?: string; _expected_changed_at?: string }; Returns: string }
      search_content: { Args: { _kind: string; _query: string; _columns: string[]; _status?: string; _category?: string; _sort?: string; _limit?: number; _offset?: number }; Returns: { item: Json; excerpt: string; words: string[]; total: number }[] }
      search_everywhere: { Args: { _query: string }; Returns: { kind: string; id: string; title: string }[] }
      search_news: { Args: { _query: string; _category?: string; _limit?: number; _offset?: number }; Returns: { id: string; total: number }[] }
      search_posts: { Args: { _words: string[] }; Returns: { kind: string; title: string; public_path: string; text_columns: string[]; item: Json }[] }
      send_failed_mail: { Args: { _id: number }; Returns: undefined }
      send_test_client_webhook: { Args: { _client_id: string }; Returns: undefined }
      send_test_webhook: { Args: never; Returns: undefined }
      set_campaign_list: { Args: { _client_id: string; _campaign_id: string; _approval_id: string; _is_used: boolean }; Returns: undefined }
      set_campaign_text: { Args: { _client_id: string; _campaign_id: string; _approval_id: string; _is_sent: boolean; _step?: number }; Returns: undefined }
      set_client_fee: { Args: { _client_id: string; _first_month: string; _amount: number; _expected_number: number }; Returns: undefined }
      set_client_logo: { Args: { _client_id: string; _file_id?: string }; Returns: undefined }
      set_media_alt: { Args: { _name: string; _alt: string }; Returns: undefined }
      set_media_focus: { Args: { _name: string; _x: number; _y: number }; Returns: undefined }
      set_my_client_mails: { Args: { _client_id: string; _notifications: string[] }; Returns: undefined }
      signing_secret_of_source: { Args: { _token_hash: string }; Returns: string }
      sitemap_parts: { Args: never; Returns: { kind: string; parts: number }[] }
      start_client_report: { Args: { _client_id: string; _span: string; _first_day: string }; Returns: string }
      stop_editing: { Args: { _kind: string; _item_id: string }; Returns: undefined }
      store_campaign_events: { Args: { _token_hash: string; _secret_hash: string; _events: Json }; Returns: number }
      submit_lead: { Args: { _source: string; _email: string; _name?: string; _phone?: string; _call_time?: string; _message?: string; _page?: string; _service?: string; _website?: string }; Returns: undefined }
      subscribe_to_newsletter: { Args: { _email: string; _website?: string }; Returns: undefined }
      team_overview: { Args: never; Returns: Json }
      text_results: { Args: { _client_id: string }; Returns: { approval_id: string; title: string; number: number; step: number; sent: number; bounced: number; replied: number; interested: number; meetings: number }[] }
      undo_import: { Args: { _client_id: string; _batch_id: string }; Returns: Json }
      undo_release: { Args: { _id: string }; Returns: string }
      unsubscribe_from_newsletter: { Args: { _token: string }; Returns: undefined }
      unverified_registrations: { Args: never; Returns: string[] }
      user_emails: { Args: { _user_ids: string[] }; Returns: { user_id: string; email: string }[] }
      veto_by_link: { Args: { _token: string; _holder: string; _lines?: number[]; _domain?: string; _restore?: boolean }; Returns: number }
      veto_rows: { Args: { _client_id: string; _approval_id: string; _number: number; _lines?: number[]; _domain?: string; _add_to_blocklist?: boolean; _restore?: boolean }; Returns: number }
      withdraw_approval: { Args: { _client_id: string; _approval_id: string }; Returns: undefined }
      withdraw_figure_quote: { Args: { _client_id: string; _id: string }; Returns: undefined }
    }
    Enums: { [_ in never]: never }
    CompositeTypes: { [_ in never]: never }
  }
}
