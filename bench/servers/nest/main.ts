/** NestJS on Fastify with TypeORM. */
import 'reflect-metadata'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { JwtModule } from '@nestjs/jwt'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { TypeOrmModule } from '@nestjs/typeorm'
import { ready, settings } from '../serve.mjs'
import { Assessment, Link, Membership, Payment, User } from './entities.js'
import { ListsController } from './lists.controller.js'

const { database, secret } = settings()

@Module({
  imports: [
    JwtModule.register({ global: true, secret }),
    TypeOrmModule.forRoot({
      type: 'mysql',
      url: database,
      poolSize: 10,
      entities: [Assessment, Link, Membership, Payment, User]
    }),
    TypeOrmModule.forFeature([Assessment, Payment])
  ],
  controllers: [ListsController]
})
class AppModule {}

const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), { logger: ['error'] })
await app.listen(0, '127.0.0.1')
ready(Number(new URL(await app.getUrl()).port))
