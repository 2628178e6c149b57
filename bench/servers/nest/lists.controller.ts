/** The two lists, with nestjs-paginate as its README shows it. */
import { Controller, Get, Req, UseGuards } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { FilterOperator, Paginate, type PaginateQuery, paginate } from 'nestjs-paginate'
import { Brackets, type Repository } from 'typeorm'
import { AuthGuard, type Caller } from './auth-guard.js'
import { Assessment, Link, Payment } from './entities.js'

@Controller()
@UseGuards(AuthGuard)
export class ListsController {
  constructor(
    @InjectRepository(Assessment) private readonly assessments: Repository<Assessment>,
    @InjectRepository(Payment) private readonly payments: Repository<Payment>
  ) {}

  @Get('assessments')
  listAssessments(@Paginate() query: PaginateQuery, @Req() { caller }: { caller: Caller }) {
    const builder = this.assessments.createQueryBuilder('assessment')
    if (caller.role === 'Individual') builder.where('assessment.userId = :self', { self: caller.sub })
    if (caller.role === 'Practitioner') {
      const linked = builder
        .subQuery()
        .select('link.userId')
        .from(Link, 'link')
        .where('link.ownerId = :self')
        .getQuery()
      builder.where(
        new Brackets((where) => where.where('assessment.userId = :self').orWhere(`assessment.userId IN ${linked}`)),
        { self: caller.sub }
      )
    }
    return paginate(query, builder, {
      relations: { user: { memberships: true }, practitioner: true },
      sortableColumns: ['createdAt', 'assessmentId'],
      defaultSortBy: [
        ['createdAt', 'DESC'],
        ['assessmentId', 'DESC']
      ],
      searchableColumns: ['user.firstName', 'user.lastName', 'user.email'],
      filterableColumns: { status: [FilterOperator.EQ] },
      defaultLimit: 12,
      maxLimit: 100
    })
  }

  @Get('payments')
  listPayments(@Paginate() query: PaginateQuery, @Req() { caller }: { caller: Caller }) {
    return paginate(query, this.payments, {
      relations: ['user'],
      sortableColumns: ['createdAt', 'paymentId'],
      defaultSortBy: [
        ['createdAt', 'DESC'],
        ['paymentId', 'DESC']
      ],
      searchableColumns: ['paymentIntent', 'user.email'],
      filterableColumns: { processorStatus: [FilterOperator.EQ] },
      ...(caller.role !== 'Admin' && { where: { userId: caller.sub } }),
      defaultLimit: 12,
      maxLimit: 100
    })
  }
}
