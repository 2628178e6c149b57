/** TypeORM's entities for the tables. */
import { Column, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm'

@Entity('users')
export class User {
  @PrimaryColumn({ name: 'user_id', type: 'bigint' }) userId!: string
  @Column({ name: 'first_name', type: 'varchar' }) firstName!: string
  @Column({ name: 'last_name', type: 'varchar' }) lastName!: string
  @Column({ type: 'varchar' }) email!: string
  @Column({ name: 'avatar_url', type: 'varchar' }) avatarUrl!: string | null

  @OneToMany(
    () => Membership,
    (membership) => membership.user
  )
  memberships!: Membership[]
}

@Entity('memberships')
export class Membership {
  @PrimaryColumn({ name: 'user_id', type: 'bigint' }) userId!: string
  @PrimaryColumn({ name: 'org_name', type: 'varchar' }) orgName!: string

  @ManyToOne(
    () => User,
    (user) => user.memberships
  )
  @JoinColumn({ name: 'user_id' })
  user!: User
}

@Entity('links')
export class Link {
  @PrimaryColumn({ name: 'owner_id', type: 'bigint' }) ownerId!: string
  @PrimaryColumn({ name: 'user_id', type: 'bigint' }) userId!: string
}

@Entity('assessments')
export class Assessment {
  @PrimaryColumn({ name: 'assessment_id', type: 'bigint' }) assessmentId!: string
  @Column({ type: 'varchar' }) licence!: string
  @Column({ name: 'assessment_type', type: 'varchar' }) assessmentType!: string
  @Column({ name: 'user_id', type: 'bigint' }) userId!: string
  @ManyToOne(() => User) @JoinColumn({ name: 'user_id' }) user!: User
  @ManyToOne(() => User) @JoinColumn({ name: 'practitioner_id' }) practitioner!: User | null
  @Column({ type: 'varchar' }) status!: string
  @Column({ name: 'date_assignment', type: 'datetime' }) dateAssignment!: Date
  @Column({ name: 'date_conclusion', type: 'datetime' }) dateConclusion!: Date | null
  @Column({ name: 'created_at', type: 'datetime' }) createdAt!: Date
}

@Entity('payments')
export class Payment {
  @PrimaryColumn({ name: 'payment_id', type: 'bigint' }) paymentId!: string
  @Column({ name: 'user_id', type: 'bigint' }) userId!: string
  @ManyToOne(() => User) @JoinColumn({ name: 'user_id' }) user!: User
  @Column({ type: 'decimal' }) amount!: string
  @Column({ type: 'int' }) quantity!: number
  @Column({ name: 'payment_intent', type: 'varchar' }) paymentIntent!: string
  @Column({ name: 'paid_at', type: 'datetime' }) paidAt!: Date | null
  @Column({ name: 'payment_method', type: 'varchar' }) paymentMethod!: string
  @Column({ name: 'payment_status', type: 'varchar' }) paymentStatus!: string
  @Column({ name: 'processor_status', type: 'varchar' }) processorStatus!: string
  @Column({ name: 'created_at', type: 'datetime' }) createdAt!: Date
}
